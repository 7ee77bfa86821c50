import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AgentMuxError } from '../contract/errors.ts'
import { asNumber, asString, parseRecord } from '../core/json.ts'
import { atomicWrite } from '../files/atomic-write.ts'
import { withFileLock } from '../files/lock.ts'
import { readOwnFile } from '../files/read-own-file.ts'
import { isAlive, type ProcessIdentity } from '../process/identity.ts'

/**
 * Which daemon serves a data directory. There is one at most: it alone writes the database. By which process that is
 * every version has to know it, so these fields stay whatever else may come.
 */
export interface Registration extends ProcessIdentity {
  format: typeof FORMAT
  /** Null until it listens. */
  port: number | null
  version: string
  startedAt: number
}

/** Incremented when an older version could no longer know who serves. */
export const FORMAT = 1

function registrationPath(dataDir: string): string {
  return join(dataDir, 'daemon.json')
}

/** Null when there is none, or one that nobody can read. Throws for one that a newer version could. */
export async function readRegistration(dataDir: string): Promise<Registration | null> {
  const text = await readOwnFile(registrationPath(dataDir)).catch(() => '')
  const record = text === null ? null : parseRecord(text)
  const pid = asNumber(record?.pid)
  const startTime = asString(record?.startTime)
  const bootId = asString(record?.bootId)
  if (record === null || pid === undefined || startTime === undefined || bootId === undefined) {
    if ((asNumber(record?.format) ?? FORMAT) > FORMAT) throw ofTheFuture(dataDir)
    return null
  }
  return {
    ...{ format: FORMAT, pid, startTime, bootId },
    port: asNumber(record.port) ?? null,
    version: asString(record.version) ?? 'unknown',
    startedAt: asNumber(record.startedAt) ?? 0,
  }
}

function ofTheFuture(dataDir: string): AgentMuxError {
  const path = registrationPath(dataDir)
  return new AgentMuxError('CONFIG_ERROR', `${path} was written by a newer agent-mux, whose daemon may be running`, {
    hint: 'Update agent-mux. If you are sure that no daemon runs, remove the file.',
  })
}

/** The one whose process is alive; a registration that outlived its daemon counts for nothing. */
export async function liveRegistration(dataDir: string): Promise<Registration | null> {
  const registration = await readRegistration(dataDir)
  return registration !== null && isAlive(registration) ? registration : null
}

/**
 * Makes us the daemon of this directory, or returns the one that is. Of two that start at once one gets it: judging the old
 * registration and replacing it is one step under a lock.
 */
export async function claim(dataDir: string, mine: Registration): Promise<Registration | null> {
  const path = registrationPath(dataDir)
  return withFileLock(path, async () => {
    const other = await liveRegistration(dataDir)
    if (other !== null) return other
    await rm(path, { force: true, recursive: true })
    await writeFile(path, JSON.stringify(mine), { flag: 'wx', mode: 0o600 })
    return null
  })
}

/** Publishes where we listen. */
export async function publish(dataDir: string, mine: Registration): Promise<void> {
  await atomicWrite(registrationPath(dataDir), JSON.stringify(mine))
}

/** Whether the directory is still ours: somebody may have removed it below us. */
export async function isRegistered(dataDir: string, mine: Registration): Promise<boolean> {
  const current = await readRegistration(dataDir)
  return current !== null && isSame(current, mine)
}

export async function release(dataDir: string, mine: Registration): Promise<void> {
  const path = registrationPath(dataDir)
  await withFileLock(path, async () => {
    if (await isRegistered(dataDir, mine)) await rm(path, { force: true })
  })
}

function isSame(a: ProcessIdentity, b: ProcessIdentity): boolean {
  return a.pid === b.pid && a.startTime === b.startTime && a.bootId === b.bootId
}
