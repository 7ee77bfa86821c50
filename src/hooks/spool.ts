import { watch } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { nullWhenMissing } from '../files/atomic-write.ts'
import { createFind } from '../secrets/find.ts'
import { scrubFile } from './scrub.ts'
import { PARTIAL, readEntry, type SpoolHeader, WHOLE } from './spool-entry.ts'

/** A hook that has come in. */
export interface DeliveredHook extends SpoolHeader {
  /** Of this delivery: the same when it is handed out again after a crash. */
  id: string
  /** Epoch milliseconds: when the agent had handed it over. */
  at: number
  payload: unknown
}

export type HookHandler = (hook: DeliveredHook) => void | Promise<void>

/** Where hooks wait, and where those are kept that cannot be read. */
export function spoolDirectory(dataDir: string): string {
  return join(dataDir, 'spool')
}

const TORN = 'torn'
const findPlain = createFind([])
/** Nobody takes that long to write one. */
const ABANDONED_MS = 60 * 60_000
const POLL_MS = 1000

/**
 * Hands out every hook that waits, oldest first, and removes each when `onHook` is done with it. What cannot be read is
 * kept aside in `torn`. When `onHook` throws, the hook stays for another time and so does everything after it.
 */
export async function drainSpool(directory: string, onHook: HookHandler): Promise<number> {
  const waiting = await waitingFiles(directory)
  for (const { name, at } of waiting) {
    const path = join(directory, name)
    const content = await readFile(path, 'utf8').catch(nullWhenMissing)
    // Another drain was faster.
    if (content === null) continue
    const entry = readEntry(content)
    if (entry) {
      await onHook({ id: name.slice(0, -WHOLE.length), at, ...entry })
      await rm(path, { force: true })
    } else await setAside(directory, name)
  }
  return waiting.length
}

async function waitingFiles(directory: string): Promise<{ name: string; at: number }[]> {
  const names = (await readdir(directory).catch(nullWhenMissing)) ?? []
  const files: { name: string; order: bigint; at: number }[] = []
  for (const name of names) {
    if (!name.endsWith(WHOLE) && !name.endsWith(PARTIAL)) continue
    const stats = await stat(join(directory, name), { bigint: true }).catch(nullWhenMissing)
    if (!stats) continue
    const at = Number(stats.mtimeMs)
    if (name.endsWith(WHOLE)) files.push({ name, order: stats.mtimeNs, at })
    else if (Date.now() - at > ABANDONED_MS) await setAside(directory, name)
  }
  return files.toSorted(
    (a, b) => compare(a.order, b.order) || writerOf(a.name) - writerOf(b.name) || compare(a.name, b.name),
  )
}

function compare<Value extends bigint | string>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * Files of one clock tick are distinguished by the process that wrote them, and those of one process by their names.
 */
function writerOf(name: string): number {
  return Number(/\.(\d+)_*\.hook$/.exec(name)?.[1] ?? 0)
}

/** Nobody knows how long it lies there, so without what looks like a secret. */
async function setAside(directory: string, name: string): Promise<void> {
  await mkdir(join(directory, TORN), { recursive: true, mode: 0o700 })
  scrubFile(join(directory, name), findPlain)
  await rename(join(directory, name), join(directory, TORN, name)).catch(nullWhenMissing)
}

/** How many hooks have waited for so long, and how many were set aside. Only looks. */
export async function spoolBacklog(directory: string, olderMs: number): Promise<{ waiting: number; torn: number }> {
  const list = async (path: string) => (await readdir(path).catch(nullWhenMissing)) ?? []
  const names = (await list(directory)).filter((name) => name.endsWith(WHOLE))
  const stats = await Promise.all(names.map((name) => stat(join(directory, name)).catch(nullWhenMissing)))
  const waiting = stats.filter((one) => one !== null && Date.now() - one.mtimeMs > olderMs).length
  return { waiting, torn: (await list(join(directory, TORN))).length }
}

export interface SpoolWatch {
  /** Ends after the hook that is being handled. */
  close(): Promise<void>
}

/** Drains the spool now and whenever something comes in. A failure is reported and tried again. */
export function watchSpool(directory: string, onHook: HookHandler, onError: (error: unknown) => void): SpoolWatch {
  let isClosed = false
  let isWanted = true
  let current: Promise<void> | null = null
  const drain = async () => {
    while (isWanted && !isClosed) {
      isWanted = false
      await drainSpool(directory, onHook).catch(onError)
    }
    current = null
  }
  const wake = () => {
    isWanted = true
    current ??= drain()
  }
  let watcher: ReturnType<typeof watch> | null = null
  const start = async () => {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    if (isClosed) return
    watcher = watch(directory, wake)
    watcher.on('error', onError)
    wake()
  }
  const started = start().catch(onError)
  // Not every file system reports changes.
  const poll = setInterval(wake, POLL_MS)
  poll.unref()
  return {
    async close() {
      isClosed = true
      clearInterval(poll)
      await started
      watcher?.close()
      await current
    },
  }
}
