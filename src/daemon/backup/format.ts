/**
 * A backup is one SQLite file: the daemon's database as it was at one moment, and in two more tables the files of its
 * launches. Files are read after the database was copied, and they only grow: nothing the database knows is missing.
 */
export const BACKUP_TABLES = `
  CREATE TABLE backup_info (format INTEGER NOT NULL, version TEXT NOT NULL, created_at INTEGER NOT NULL);
  CREATE TABLE backup_files (path TEXT NOT NULL, part INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (path, part));
`

/** From 2 on a backup is sealed (`seal.ts`). */
export const BACKUP_FORMAT = 2
export const SEALED_SINCE = 2
export const PART_BYTES = 4 * 1024 * 1024

/** What becomes a path must be one below a launch: a backup may come from anywhere. */
export function isLaunchPath(path: string): boolean {
  const [launch = '', ...rest] = path.split('/')
  return /^[a-z0-9]+-\d+$/.test(launch) && rest.length > 0 && rest.length < 4 && rest.every(isName)
}

function isName(word: string): boolean {
  return /^[\w-][\w.-]{0,120}$/.test(word)
}

/** What a running launch has beside its data. */
export function isKept(name: string): boolean {
  return !/(^control\.sock|^reserve|\.lock|\.break|\.tmp)$/.test(name)
}
