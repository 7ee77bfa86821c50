import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientSettings, DaemonClient } from '../client/index.ts'
import type { Answer } from '../contract/api/schemas.ts'
import { AgentMuxError, isAgentMuxError } from '../contract/errors.ts'
import { meetsVersion } from '../core/version.ts'
import { daemonAddress } from '../daemon/address.ts'
import { requireOwnData } from '../daemon/own-data.ts'
import { liveRegistration, type Registration } from '../daemon/registration.ts'
import { ownVersion } from '../files/own-version.ts'
import type { DaemonPlaces } from './places.ts'
import { type StartedDaemon, startDetached } from './start.ts'

export interface FoundDaemon {
  client: DaemonClient
  registration: Registration
  health: Answer<'health'>
}

const START_MS = 20_000
const ANSWER_MS = 5000
const LOOK_MS = 25

/** The daemon of these places, started if need be. */
export async function findOrStart(places: DaemonPlaces, note: (text: string) => void): Promise<DaemonClient> {
  const found = await findDaemon(places)
  if (found === null) return (await startAndFind(places)).client
  if (found.health.version === ownVersion()) return found.client
  return ofAnotherVersion(found, places, note)
}

const UPDATE = 'Update this amux.'

function isOlder(version: string): boolean {
  return !meetsVersion(version, ownVersion())
}

/** An older daemon that nobody uses is replaced; otherwise the user is asked to decide. */
async function ofAnotherVersion(
  { client, health }: FoundDaemon,
  places: DaemonPlaces,
  note: (text: string) => void,
): Promise<DaemonClient> {
  const own = ownVersion()
  const gives = isOlder(health.version)
  if (gives && health.live === 0 && health.queued === 0) {
    await stopDaemon(client, places)
    return (await startAndFind(places)).client
  }
  const advice = gives ? '`amux stop` lets a new one take over; agents go on.' : UPDATE
  note(`amux: the daemon is version ${health.version}, this is ${own}. ${advice}`)
  return client
}

async function startAndFind(places: DaemonPlaces): Promise<FoundDaemon> {
  const started = startDetached(places)
  const found = await findDaemon(places, started)
  if (found) return found
  throw new AgentMuxError('TIMEOUT', `The daemon did not start within ${START_MS / 1000} s`, {
    hint: `Its log is ${places.dataDir}/daemon.log.`,
  })
}

/** Null when none serves here. With `started` one is expected to come up. */
export async function findDaemon(places: DaemonPlaces, started?: StartedDaemon): Promise<FoundDaemon | null> {
  requireOwnData(places.dataDir)
  const deadline = Date.now() + START_MS
  while (Date.now() < deadline) {
    const registration = await liveRegistration(places.dataDir)
    if (registration === null && !started) return null
    if (registration?.port) {
      const client = clientOf(places)
      const health = await answerOf(places, registration)
      return { client, registration, health }
    }
    await (started ? Promise.race([sleep(LOOK_MS), started.failed]) : sleep(LOOK_MS))
  }
  return null
}

/** Its process is alive, so it has to answer: it may be busy, but it is never just replaced. */
async function answerOf(places: DaemonPlaces, registration: Registration): Promise<Answer<'health'>> {
  const patience = AbortSignal.timeout(ANSWER_MS)
  const client = clientOf(places, { retries: 2, fetch: (to, init) => fetch(to, { ...init, signal: patience }) })
  return client.call('health').catch((error: unknown) => {
    if (patience.aborted) throw noAnswer(registration)
    throw isAgentMuxError(error) && !error.recoverable ? notUnderstood(registration, error) : error
  })
}

function noAnswer({ pid }: Registration): AgentMuxError {
  return new AgentMuxError('TIMEOUT', `The daemon (process ${pid}) does not answer`, {
    hint: `If it stays so, end it with \`kill ${pid}\`: agents go on, and a new daemon finds them.`,
    recoverable: true,
  })
}

/** It refuses what every daemon answers: a version whose API is another one. */
function notUnderstood({ pid, version }: Registration, error: AgentMuxError): AgentMuxError {
  const own = ownVersion()
  if (version === own) return error
  const advice = isOlder(version) ? `End it with \`kill ${pid}\`: agents go on, and a new one finds them.` : UPDATE
  const what = `The daemon (process ${pid}) is version ${version} and does not understand this amux, ${own}`
  return new AgentMuxError('CONFIG_ERROR', `${what}: ${error.message}`, { hint: advice, cause: error })
}

/** Finds the daemon again whenever it has to: a restarted one may listen elsewhere. */
function clientOf({ dataDir }: DaemonPlaces, settings: Partial<ClientSettings> = {}): DaemonClient {
  return new DaemonClient({ address: () => daemonAddress(dataDir), ...settings })
}

/** Resolves when it has gone. */
export async function stopDaemon(client: DaemonClient, { dataDir }: DaemonPlaces): Promise<void> {
  await client.call('shutdown')
  const deadline = Date.now() + ANSWER_MS
  while ((await liveRegistration(dataDir)) !== null) {
    if (Date.now() > deadline) throw new AgentMuxError('TIMEOUT', 'The daemon does not end')
    await sleep(LOOK_MS)
  }
}
