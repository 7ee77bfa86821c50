import { chmodSync, closeSync, constants, existsSync, fstatSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AgentMuxError } from '../../contract/errors.ts'
import { asNumber } from '../../core/json.ts'
import { nullWhenMissing, syncDirectorySync } from '../../files/atomic-write.ts'
import { ownVersion } from '../../files/own-version.ts'
import { type Database, openWritable } from '../../files/sqlite.ts'
import { readAt } from '../../runner/append-file.ts'
import { BACKUP_FORMAT, BACKUP_TABLES, isKept, isLaunchPath, PART_BYTES } from './format.ts'
import { seal } from './seal.ts'

export interface BackupMade {
  file: string
  sessions: number
  files: number
}

/** Copies sessions, events and the files of launches into one file. A daemon may serve and agents may work meanwhile. */
export async function writeBackup(dataDir: string, file: string): Promise<BackupMade> {
  const path = join(dataDir, 'daemon.db')
  if (!existsSync(path)) throw new AgentMuxError('CONFIG_ERROR', `There is nothing to back up in ${dataDir}`)
  if (existsSync(file)) {
    throw new AgentMuxError('VALIDATION_ERROR', `${file} exists already`, { hint: 'Name a new file.' })
  }
  const directory = dirname(file)
  if (!existsSync(directory) || !statSync(directory).isDirectory()) {
    const hint = 'Make the directory first, or name another file.'
    throw new AgentMuxError('VALIDATION_ERROR', `${directory} is not a directory`, { hint })
  }
  const temporary = `${file}.partial`
  rmSync(temporary, { force: true })
  try {
    await copyDatabase(path, temporary)
    const backup = await openWritable(temporary)
    try {
      backup.exec('PRAGMA journal_mode = DELETE')
      backup.exec(BACKUP_TABLES)
      const files = await addFiles(backup, join(dataDir, 'launches'))
      backup.prepare('INSERT INTO backup_info VALUES (?, ?, ?)').run(BACKUP_FORMAT, ownVersion(), Date.now())
      const sessions = asNumber(backup.prepare('SELECT count(*) AS count FROM sessions').get()?.count) ?? 0
      backup.close()
      seal(temporary)
      renameSync(temporary, file)
      syncDirectorySync(directory)
      return { file, sessions, files }
    } catch (error) {
      backup.close()
      throw error
    }
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(temporary + end, { force: true })
  }
}

/** In one read transaction, so that it is one state of the database, no matter who writes to it. */
async function copyDatabase(from: string, to: string): Promise<void> {
  const database = await openWritable(from)
  try {
    database.exec(`VACUUM INTO '${to.replaceAll("'", "''")}'`)
    chmodSync(to, 0o600)
  } finally {
    database.close()
  }
}

async function addFiles(backup: Database, directory: string): Promise<number> {
  const entries = (await readdir(directory, { recursive: true, withFileTypes: true }).catch(nullWhenMissing)) ?? []
  const insert = backup.prepare('INSERT INTO backup_files (path, part, data) VALUES (?, ?, ?)')
  let count = 0
  for (const entry of entries) {
    const whole = join(entry.parentPath, entry.name)
    const path = whole.slice(directory.length + 1)
    if (!entry.isFile() || !isKept(entry.name) || !isLaunchPath(path)) continue
    backup.transaction(() => {
      for (const [part, data] of partsOf(whole)) insert.run(path, part, data)
    })
    count += 1
  }
  return count
}

function* partsOf(path: string): Generator<[number, Buffer]> {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    // Up to where it is now: it may grow for as long as we read.
    const { size } = fstatSync(fd)
    for (let part = 0; part === 0 || part * PART_BYTES < size; part++) {
      yield [part, readAt(fd, part * PART_BYTES, Math.min(PART_BYTES, size - part * PART_BYTES))]
    }
  } finally {
    closeSync(fd)
  }
}
