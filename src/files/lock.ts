import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { AgentMuxError } from '../contract/errors.ts'
import { asNumber, asString, parseRecord } from '../core/json.ts'

export interface LockOptions {
  /** How long to wait for another writer. */
  timeoutMs?: number
  /** An older lock is a leftover: its owner only ever needs milliseconds. */
  staleMs?: number
}

const POLL_MS = 10
/** Between the making of a file and what is written into it lie microseconds, or the death of its maker. */
const UNFINISHED_MS = 2000

/**
 * Runs `action` while `<filePath>.lock` is ours. Advisory: it keeps writers of this package apart, in one process and
 * in several. Not for long work: the lock is not renewed.
 */
export async function withFileLock<T>(
  filePath: string,
  action: () => Promise<T>,
  { timeoutMs = 5000, staleMs = 30_000 }: LockOptions = {},
): Promise<T> {
  const lockPath = `${filePath}.lock`
  const content = JSON.stringify({ pid: process.pid, time: Date.now(), host: hostname(), token: randomUUID() })
  const deadline = Date.now() + timeoutMs
  while (!tryCreate(lockPath, content)) {
    if (await removeStale(lockPath, staleMs)) continue
    if (Date.now() >= deadline) throw lockError(filePath, lockPath, timeoutMs)
    // Jitter, so that waiting writers do not all come back at the same moment.
    await sleep(POLL_MS * (0.5 + Math.random()))
  }
  try {
    return await action()
  } finally {
    // The process that found us stale has its own lock there now.
    if ((await readLock(lockPath)) === content) await rm(lockPath, { force: true })
  }
}

function tryCreate(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

/**
 * Removing a leftover is itself guarded by a second file: else two waiters that judge the same leftover could each
 * remove a lock, and the slower one would remove the other's fresh lock.
 */
async function removeStale(lockPath: string, staleMs: number): Promise<boolean> {
  if (!(await isStale(lockPath, staleMs))) return false
  const guard = `${lockPath}.break`
  if (!tryCreate(guard, '')) {
    if (await isOld(guard, UNFINISHED_MS)) await rm(guard, { force: true })
    return false
  }
  try {
    if (!(await isStale(lockPath, staleMs))) return false
    await rm(lockPath, { force: true })
    return true
  } finally {
    await rm(guard, { force: true })
  }
}

async function isStale(lockPath: string, staleMs: number): Promise<boolean> {
  const content = await readLock(lockPath)
  if (content === null) return false
  if (content === '') return isOld(lockPath, UNFINISHED_MS)
  const lock = parseRecord(content)
  const time = asNumber(lock?.time)
  // Not ours to understand: only its age counts.
  if (lock === null || time === undefined) return isOld(lockPath, staleMs)
  if (Math.abs(Date.now() - time) > staleMs) return true
  const pid = asNumber(lock.pid)
  const host = asString(lock.host)
  // A home directory can be shared between machines and containers, where process ids mean nothing to each other.
  return pid !== undefined && (host === undefined || host === hostname()) && !isAlive(pid)
}

async function isOld(path: string, staleMs: number): Promise<boolean> {
  const stats = await stat(path).catch(() => null)
  return stats !== null && Math.abs(Date.now() - stats.mtimeMs) > staleMs
}

function isAlive(pid: number): boolean {
  if (pid <= 0) return false // not a process: the lock is damaged
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !hasCode(error, 'ESRCH')
  }
}

async function readLock(lockPath: string): Promise<string | null> {
  return readFile(lockPath, 'utf8').catch(() => null)
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

function lockError(filePath: string, lockPath: string, timeoutMs: number): AgentMuxError {
  return new AgentMuxError('CONFIG_LOCK_ERROR', `${filePath} is being written by another process (${timeoutMs} ms)`, {
    recoverable: true,
    hint: `Try again; if no other agent-mux is running, remove ${lockPath}.`,
  })
}
