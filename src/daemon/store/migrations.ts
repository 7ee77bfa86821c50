/** Steps of the daemon's database, in order. Add to the end; never change one that was published. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    name TEXT UNIQUE,
    agent TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    record TEXT NOT NULL
  ) WITHOUT ROWID;

  -- One run of a session. How far its records were taken in stands here, so that it moves with what came of them.
  CREATE TABLE launches (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    agent TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'starting', 'running', 'ended')),
    origin TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER,
    records INTEGER NOT NULL DEFAULT 0,
    position INTEGER NOT NULL DEFAULT 0,
    result TEXT,
    UNIQUE (session_id, number)
  ) WITHOUT ROWID;
  CREATE INDEX launches_open ON launches (state, created_at) WHERE state <> 'ended';
  CREATE INDEX launches_by_time ON launches (created_at);

  -- Everything that happened, in the order in which clients see it. AUTOINCREMENT: a number is never used again.
  CREATE TABLE change_log (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    session_id TEXT NOT NULL,
    launch INTEGER,
    n INTEGER,
    data TEXT NOT NULL
  );
  CREATE INDEX change_log_session ON change_log (session_id, seq);
  CREATE INDEX change_log_notifications ON change_log (seq) WHERE kind = 'notification';

  CREATE TABLE idempotency (
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    request TEXT NOT NULL,
    answer TEXT,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (scope, key)
  ) WITHOUT ROWID;

  CREATE TABLE usage (
    session_id TEXT NOT NULL,
    day TEXT NOT NULL,
    agent TEXT NOT NULL,
    model TEXT NOT NULL,
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    cache_read_tokens INTEGER NOT NULL DEFAULT 0,
    cache_creation_tokens INTEGER NOT NULL DEFAULT 0,
    turns INTEGER NOT NULL DEFAULT 0,
    cost_usd REAL,
    unpriced_tokens INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (session_id, day, model)
  ) WITHOUT ROWID;
  CREATE INDEX usage_by_day ON usage (day);

  -- Agents at their limit: what waits for them waits until then.
  CREATE TABLE parked (
    agent TEXT PRIMARY KEY,
    until INTEGER NOT NULL,
    why TEXT NOT NULL
  ) WITHOUT ROWID;
  `,
  `
  -- Up to which change the log was cut off, for each session that has lost some by it; '' stands for all.
  CREATE TABLE change_horizon (
    session_id TEXT PRIMARY KEY,
    seq INTEGER NOT NULL
  ) WITHOUT ROWID;
  `,
  `
  -- Facts about this database itself.
  CREATE TABLE about (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) WITHOUT ROWID;

  -- One row for each daemon that has written here, and the newest change that it found. A place in the log that is
  -- beyond what its daemon can have written is of a log that was put back since.
  CREATE TABLE generations (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id INTEGER NOT NULL,
    from_seq INTEGER NOT NULL
  );

  -- By account, no longer by agent: another key or endpoint has limits of its own.
  DROP TABLE parked;
  CREATE TABLE parked_accounts (
    agent TEXT NOT NULL,
    account TEXT NOT NULL,
    about TEXT NOT NULL,
    until INTEGER NOT NULL,
    why TEXT NOT NULL,
    PRIMARY KEY (agent, account)
  ) WITHOUT ROWID;
  `,
]
