/**
 * The index of all sessions. Everything in it comes from the agents' own stores and can be rebuilt at any time.
 *
 * `source` is one file, or one session in an agent's database; a session may have several: its own and those of its
 * sub-agents. What its requests have used is one block of numbers (`requests.ts`); the sums of what counts for it are
 * beside, and are right when it is `settled`: when it is known which of its requests are copies of another's.
 *
 * `words` are those of the sessions, filled when somebody searches. Only their places are kept, not the text itself.
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
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    thinking INTEGER NOT NULL,
    cache_read INTEGER NOT NULL,
    cache_creation INTEGER NOT NULL,
    usd REAL,
    estimated INTEGER NOT NULL,
    unpriced INTEGER NOT NULL,
    copies INTEGER NOT NULL,
    settled INTEGER NOT NULL,
    text_stamp TEXT NOT NULL DEFAULT '',
    text_position INTEGER NOT NULL DEFAULT 0,
    -- Last, because SQLite has to go through them to get at what is behind.
    state TEXT NOT NULL,
    models TEXT NOT NULL,
    keys BLOB NOT NULL,
    requests BLOB NOT NULL,
    UNIQUE (agent, path)
  ) STRICT;
  CREATE INDEX source_session ON source (agent, session_id);
  CREATE INDEX source_root ON source (agent, root_id);

  CREATE TABLE block (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES source ON DELETE CASCADE
  ) STRICT;
  CREATE INDEX block_source ON block (source);
  CREATE VIRTUAL TABLE words USING fts5 (
    said, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  );
  CREATE TRIGGER block_gone AFTER DELETE ON block BEGIN DELETE FROM words WHERE rowid = old.id; END;

  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
  // Every question begins with a look at what has changed: with these it needs to look at no row.
  `
  CREATE INDEX source_stamp ON source (agent, path, stamp, problem);
  CREATE INDEX source_unsettled ON source (agent) WHERE settled = 0;
  CREATE INDEX source_unread_text ON source (agent, path) WHERE stamp <> text_stamp;
  `,
]
