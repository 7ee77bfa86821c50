/**
 * The index of all sessions. Everything in it comes from the agents' own stores and can be made anew at any time.
 *
 * `source` is one file, or one session in an agent's database; a session may have several: its own and those of its
 * sub-agents. `usage` is one request to a model in one source. A request that a fork has copied is there once for
 * each source that holds it, and counts (`copy = 0`) where it was made. `told_usd` is what the agent says that it has
 * cost, `cost_usd` what we say: that, else a share of what the agent says of the whole session, else the list price.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE source (
    id INTEGER PRIMARY KEY,
    agent TEXT NOT NULL,
    path TEXT NOT NULL,
    stamp TEXT NOT NULL,
    marks TEXT NOT NULL,
    position INTEGER NOT NULL,
    reader INTEGER NOT NULL,
    state TEXT NOT NULL,
    problem TEXT,
    born REAL NOT NULL,
    session_id TEXT NOT NULL,
    parent_id TEXT,
    root_id TEXT NOT NULL,
    title TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    turn_count INTEGER NOT NULL,
    message_count INTEGER NOT NULL,
    model TEXT,
    cwd TEXT,
    forked_from TEXT,
    reported TEXT,
    reported_at INTEGER,
    UNIQUE (agent, path)
  ) STRICT;
  CREATE INDEX source_session ON source (agent, session_id);
  CREATE INDEX source_root ON source (agent, root_id);

  CREATE TABLE usage (
    source INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
    key TEXT NOT NULL,
    at INTEGER NOT NULL,
    model TEXT NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    thinking INTEGER NOT NULL,
    cache_read INTEGER NOT NULL,
    cache_creation INTEGER NOT NULL,
    told_usd REAL,
    cost_usd REAL,
    copy INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (source, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX usage_key ON usage (key);

  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
  // The words of the sessions, filled when somebody searches. Only their places are kept, not the text itself.
  `
  ALTER TABLE source ADD COLUMN text_stamp TEXT NOT NULL DEFAULT '';
  ALTER TABLE source ADD COLUMN text_position INTEGER NOT NULL DEFAULT 0;

  CREATE TABLE block (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES source ON DELETE CASCADE
  ) STRICT;
  CREATE INDEX block_source ON block (source);
  CREATE VIRTUAL TABLE words USING fts5 (
    said, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  );
  CREATE TRIGGER block_gone AFTER DELETE ON block BEGIN DELETE FROM words WHERE rowid = old.id; END;
  `,
]
