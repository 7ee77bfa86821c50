import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { AgentMuxError } from '../../contract/errors.ts'
import { LAUNCH_FILES, type RunnerModule } from '../../contract/launch.ts'
import { asNumber, asString } from '../../core/json.ts'
import { type Database, openWritable } from '../../files/sqlite.ts'
import { RESTORED_BOOT } from '../../process/identity.ts'
import { readInfo, updateInfo } from '../../runner/launch-files.ts'
import { liveRegistration } from '../registration.ts'
import { BACKUP_FORMAT, isLaunchPath, SEALED_SINCE } from './format.ts'
import { unseal } from './seal.ts'

export interface BackupRestored {
  sessions: number
  /** Where what was there before is now; null when there was nothing. */
  before: string | null
}

type Runner = Pick<RunnerModule, 'runnerState' | 'cancelLaunch'>

const DATABASE = ['daemon.db', 'daemon.db-wal', 'daemon.db-shm']

/**
 * Puts a backup in place of the sessions of a data directory. What was there is moved aside, never removed. No agent
 * starts by this: what ran or waited when the backup was made counts as ended.
 */
export async function restoreBackup(dataDir: string, file: string, runner: Runner): Promise<BackupRestored> {
  if (!existsSync(file)) throw new AgentMuxError('VALIDATION_ERROR', `There is no ${file}`)
  await refuseWhileUsed(dataDir, runner)
  const staging = join(dataDir, `restoring-${process.pid}`)
  rmSync(staging, { recursive: true, force: true })
  mkdirSync(join(staging, 'launches'), { recursive: true, mode: 0o700 })
  try {
    const sessions = await unpack(file, staging)
    await endAll(join(staging, 'launches'), runner)
    return { sessions, before: exchange(dataDir, staging) }
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

async function refuseWhileUsed(dataDir: string, { runnerState }: Runner): Promise<void> {
  const daemon = await liveRegistration(dataDir)
  if (daemon) {
    throw new AgentMuxError('INVALID_STATE_TRANSITION', `A daemon is running (process ${daemon.pid})`, {
      hint: '`amux kill --all`, then `amux stop`, then try again.',
    })
  }
  for (const name of names(join(dataDir, 'launches'))) {
    const found = await runnerState(join(dataDir, 'launches', name))
    if (found.state !== 'alive') continue
    throw new AgentMuxError('INVALID_STATE_TRANSITION', `An agent is still running (launch ${name})`, {
      hint: '`amux kill --all`, then `amux stop`, then try again.',
    })
  }
}

/** The database and the files of a backup. Returns how many sessions there are. */
async function unpack(file: string, staging: string): Promise<number> {
  const path = join(staging, 'daemon.db')
  const isSealed = takeCopy(file, path)
  const database = await openWritable(path).catch((cause: unknown) => {
    throw notABackup(file, cause)
  })
  try {
    requireBackup(database, file, isSealed)
    unpackFiles(database, join(staging, 'launches'))
    database.exec('DROP TABLE backup_files; DROP TABLE backup_info')
    database.exec('VACUUM')
    return asNumber(database.prepare('SELECT count(*) AS count FROM sessions').get()?.count) ?? 0
  } finally {
    database.close()
  }
}

/** Without its seal. False: it had none. */
function takeCopy(file: string, to: string): boolean {
  try {
    if (!statSync(file).isFile()) throw new Error('it is not a file')
    copyFileSync(file, to)
    chmodSync(to, 0o600)
    return unseal(to)
  } catch (error) {
    throw notABackup(file, error)
  }
}

function requireBackup(database: Database, file: string, isSealed: boolean): void {
  try {
    const checked = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})[0]
    if (checked !== 'ok') throw new Error(String(checked))
    const format = asNumber(database.prepare('SELECT format FROM backup_info').get()?.format)
    if (format === undefined || format > BACKUP_FORMAT) throw new Error('a newer agent-mux has made it')
    if (format >= SEALED_SINCE && !isSealed) throw new Error('it is damaged: its checksum is missing')
  } catch (error) {
    throw notABackup(file, error)
  }
}

function notABackup(file: string, cause: unknown): AgentMuxError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new AgentMuxError('VALIDATION_ERROR', `${file} cannot be restored: ${why}`, {
    hint: 'Name a file that `amux backup` has made. Nothing was changed.',
    cause,
  })
}

function unpackFiles(database: Database, directory: string): void {
  const list = database.prepare('SELECT path, part FROM backup_files ORDER BY path, part')
  const read = database.prepare('SELECT data FROM backup_files WHERE path = ? AND part = ?')
  for (const row of list.all()) {
    const path = asString(row.path) ?? ''
    const part = asNumber(row.part) ?? 0
    if (!isLaunchPath(path)) throw new AgentMuxError('VALIDATION_ERROR', `A backup must not hold "${path}"`)
    const target = join(directory, path)
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    const data = read.get(path, part)?.data
    const flag = part === 0 ? 'w' : 'a'
    writeFileSync(target, data instanceof Uint8Array ? data : '', { mode: 0o600, flag })
  }
}

/** A launch that had not ended has no process here: one that waited must not start, one that ran is lost. */
async function endAll(launches: string, { cancelLaunch }: Runner): Promise<void> {
  for (const name of names(launches)) {
    const dir = join(launches, name)
    if (existsSync(join(dir, LAUNCH_FILES.result))) continue
    const info = await readInfo(dir).catch(() => null)
    if (info) await updateInfo(dir, { ...info, agent: null, runner: { ...info.runner, bootId: RESTORED_BOOT } })
    else await cancelLaunch(dir, null)
  }
}

function exchange(dataDir: string, staging: string): string | null {
  const before = join(dataDir, `before-restore-${new Date().toISOString().replace(/[:.]/g, '-')}`)
  const there = [...DATABASE, 'launches'].filter((name) => existsSync(join(dataDir, name)))
  if (there.length > 0) mkdirSync(before, { mode: 0o700 })
  for (const name of there) renameSync(join(dataDir, name), join(before, name))
  for (const name of ['launches', 'daemon.db']) renameSync(join(staging, name), join(dataDir, name))
  return there.length > 0 ? before : null
}

function names(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory) : []
}
