import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { AgentMuxError } from '../contract/errors.ts'
import type { RunnerModule } from '../contract/launch.ts'
import { ownVersion } from '../files/own-version.ts'
import { identityOf } from '../process/identity.ts'
import { endpoint } from './http/endpoint.ts'
import { createApp, createServer } from './http/server.ts'
import { type Log, openLog } from './log.ts'
import { makeOwnData } from './own-data.ts'
import { claim, FORMAT, isRegistered, publish, type Registration, release } from './registration.ts'
import { createServices } from './services.ts'
import { readDaemonSettings } from './settings.ts'
import { Store } from './store/store.ts'
import { ensureToken } from './token.ts'

export interface DaemonOptions {
  dataDir: string
  configDir: string
  env: NodeJS.ProcessEnv
  /** In place of the one in the settings, and then it must be free. */
  port?: number
  runner: RunnerModule
}

export interface Daemon {
  readonly url: string
  readonly registration: Registration
  /** Ends the daemon; agents go on. */
  stop(): Promise<void>
  /** Resolves when it has ended, no matter who ended it. */
  readonly ended: Promise<void>
}

const WATCH_MS = 5000
const GRACE_MS = 1000
/** Many or large launches may take longer to bring to an end. */
const TAKE_UP_MS = 10_000

/** Another daemon serves this data directory. */
export class AlreadyServed extends AgentMuxError {
  readonly registration: Registration

  constructor(registration: Registration) {
    super('CONFIG_LOCK_ERROR', `A daemon is running already (process ${registration.pid})`, {
      hint: '`amux status` says more about it.',
    })
    this.registration = registration
  }
}

/** Starts the one daemon of a data directory. Throws `AlreadyServed` when there is one. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { dataDir } = options
  makeOwnData(dataDir)
  const identity = identityOf(process.pid)
  if (identity === null) throw new AgentMuxError('INTERNAL', 'This process cannot be identified')
  const mine: Registration = {
    ...{ format: FORMAT, ...identity, port: null },
    ...{ version: ownVersion(), startedAt: Date.now() },
  }
  const other = await claim(dataDir, mine)
  if (other !== null) throw new AlreadyServed(other)
  try {
    return await serve(options, mine)
  } catch (error) {
    await release(dataDir, mine)
    throw error
  }
}

async function serve(options: DaemonOptions, mine: Registration): Promise<Daemon> {
  const { dataDir, configDir } = options
  const settings = readDaemonSettings(configDir)
  const [token, store] = await Promise.all([ensureToken(dataDir), Store.open(dataDir)])
  const log = openLog(dataDir)
  const ending = new AbortController()
  const services = createServices({ ...options, store, settings, log })
  const { feed, launcher, sessions, endpoints } = services
  const health = endpoint('health', () => ({
    ...{ ok: true, version: mine.version, pid: mine.pid, startedAt: mine.startedAt, dataDir },
    ...{ live: launcher.live, queued: launcher.queued, lastSeq: feed.lastSeq, lastId: feed.idOf(feed.lastSeq) },
  }))
  const shutdown = endpoint('shutdown', () => {
    setImmediate(() => void stop()) // after the answer
    return { ok: true }
  })
  const app = createApp({
    ...{ token, feed, version: mine.version, signal: ending.signal },
    port: () => mine.port ?? 0,
    endpoints: { ...endpoints, health, shutdown },
    resolveSession: (given) => sessions.record(given).id,
    openTerminal: (given) => {
      const launchDir = sessions.terminalOf(given)
      return () => options.runner.connectRunner(launchDir)
    },
    blobPath: (runId, file) => sessions.blobPath(runId, file),
    onError: (error, request) => log.error({ err: error, request }, 'a request failed'),
  })
  const server = createServer(app)
  // Before anybody can ask: what has died meanwhile is never shown as running.
  const takenUp = services.resume().catch((error: unknown) => log.error({ err: error }, 'taking up what was there'))
  await Promise.race([takenUp, sleep(TAKE_UP_MS, undefined, { ref: false })])
  const letGo = async () => {
    ending.abort()
    await services.stop()
    if (server.listening) await close(server, log)
    store.close()
  }
  try {
    mine.port = await listen(server, options.port ?? settings.port, options.port === undefined)
    await publish(dataDir, mine)
  } catch (error) {
    await letGo() // what was taken up would keep the process alive, with nobody to ask it anything
    throw error
  }
  log.info({ port: mine.port, version: mine.version }, 'serving')
  let onEnded = () => {}
  const ended = new Promise<void>((resolve) => {
    onEnded = resolve
  })
  const watch = setInterval(() => void leaveWhenReplaced(), WATCH_MS)
  const leaveWhenReplaced = async () => {
    // Somebody removed the directory, or took it over while we were stopped: two must not write one database.
    if (await isRegistered(dataDir, mine).catch(() => true)) return
    log.warn('another daemon, or none, is registered here')
    await stop()
  }
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= (async () => {
      clearInterval(watch)
      await letGo()
      await release(dataDir, mine).catch(() => undefined) // the directory may be gone
      log.info('ended')
      onEnded()
    })()
    return stopping
  }
  return { url: `http://127.0.0.1:${mine.port}`, registration: mine, stop, ended }
}

/** Loopback only. A port that is only preferred gives way to any other. */
async function listen(server: Server, port: number, mayDiffer: boolean): Promise<number> {
  try {
    return await listenOn(server, port)
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    if (isTaken && mayDiffer) return listenOn(server, 0)
    if (isTaken)
      throw new AgentMuxError('CONFIG_ERROR', `Port ${port} is taken`, { hint: 'Choose another with --port.' })
    throw error
  }
}

function listenOn(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

/** Answers that are under way may end; those that do not are cut off. */
async function close(server: Server, log: Log): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS)
  await new Promise<void>((resolve) => {
    server.close((error) => {
      if (error) log.warn({ err: error }, 'closing')
      resolve()
    })
    server.closeIdleConnections()
  })
  clearTimeout(timer)
}
