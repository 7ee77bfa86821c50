import { statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { AgentAdapter } from '../contract/adapter.ts'
import { AgentMuxError } from '../contract/errors.ts'
import {
  type KnownSecrets,
  LAUNCH_FILES,
  type LaunchResult,
  type LaunchSpec,
  type RunnerState,
} from '../contract/launch.ts'
import type { RunResult } from '../contract/run-handle.ts'
import { pricesFor } from '../core/prices.ts'
import { Rederivation } from '../engine/rederive.ts'
import { withFileLock } from '../files/lock.ts'
import { openPrices } from '../files/prices.ts'
import { DamagedFile } from '../files/read-own-file.ts'
import { createClientIn } from '../mux/client.ts'
import { findLocations } from '../mux/defaults.ts'
import { endRun, runMarks } from '../process/end-run.ts'
import { bootId, RESTORED_BOOT } from '../process/identity.ts'
import { removeRunFiles } from '../process/run-files.ts'
import { createDeltaGuard, createRedactor } from '../secrets/redaction.ts'
import { resultOfCancelled } from './cancel.ts'
import type { LogHeader } from './frames.ts'
import { readSpec, writeResult } from './launch-files.ts'
import { NativeLog, readHeader, readInputs } from './native-log.ts'
import { RecordLog } from './record-log.ts'
import { removeSocketDirectory } from './socket-path.ts'
import { runnerState } from './state.ts'

type Lost = Extract<RunnerState, { state: 'lost' }>

const GRACE_MS = 2000
/** Another process that recovers the same launch has this long. */
const LOCK = { timeoutMs: 120_000, staleMs: 110_000 }

const loadAdapter = (agent: string) => createClientIn(process.env).adapters.load(agent)

/**
 * For a runner that is lost: ends what is left of its agent, adds the records that are missing and the ending, and
 * writes the result. Does nothing when there is a result. Safe to be called again, and by two at once.
 */
export async function recoverEvents(
  launchDir: string,
  known: KnownSecrets = { secrets: {}, env: process.env },
): Promise<LaunchResult> {
  return withFileLock(join(launchDir, LAUNCH_FILES.result), () => recover(launchDir, known), LOCK)
}

async function recover(launchDir: string, known: KnownSecrets): Promise<LaunchResult> {
  const state = await runnerState(launchDir)
  if (state.state === 'ended') return state.result
  if (state.state !== 'lost') {
    throw new AgentMuxError('INVALID_STATE_TRANSITION', `There is nothing to recover: the runner is ${state.state}`)
  }
  if (state.info.cancelled) return writeResult(launchDir, resultOfCancelled(state.info), (text) => text)
  const redact = createRedactor(known.secrets, known.env)
  const base = { format: 1, launchId: basename(launchDir), endedAt: Date.now(), how: 'lost', exit: null } as const
  await setAsideDamaged(join(launchDir, LAUNCH_FILES.result))
  try {
    const completed = await complete(launchDir, await readSpec(launchDir), state, known)
    return await writeResult(launchDir, { ...base, ...completed, error: null }, redact)
  } catch (error) {
    if (isOfTheMoment(error)) throw error
    // Nothing can be made of its files. That is the end of this launch, and it says so.
    const message = error instanceof Error ? error.message : String(error)
    const failure = { code: 'STORAGE_ERROR', message: `The files of this launch are damaged: ${message}` } as const
    const ended: LaunchResult = { ...base, result: null, records: 0, error: failure }
    return writeResult(launchDir, ended, redact).catch(() => ended)
  }
}

/** A full disk, or too many open files: it may go better the next time. */
function isOfTheMoment(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM', 'EIO'].includes(code)
}

/** What is there is no result, or there would be nothing to recover. Somebody may want to look at it. */
async function setAsideDamaged(path: string): Promise<void> {
  await rename(path, `${path}.damaged`).catch(() => rm(path, { recursive: true, force: true }))
}

function reasonOf({ info, damage }: Lost): string {
  if (damage !== undefined) return `the files of this launch are damaged: ${damage}`
  if (info.runner.bootId === RESTORED_BOOT) return 'it was running when the backup was made that it comes from'
  if (info.runner.bootId !== bootId()) return 'the machine was restarted while the agent was running'
  return 'the runner of this session was killed, and its agent with it'
}

/** Adds the records that are missing. */
async function complete(
  launchDir: string,
  { mode, launch }: LaunchSpec,
  lost: Lost,
  { secrets, env }: KnownSecrets,
): Promise<{ result: RunResult | null; records: number }> {
  const path = join(launchDir, LAUNCH_FILES.native)
  const header = await readHeader(path)
  if (header) {
    await endRun(runMarks(header.runId), lost.info.agent, GRACE_MS)
    await removeRunFiles(header.runId)
  }
  removeSocketDirectory(lost.info.socket)
  const detail = reasonOf(lost)
  // What is on disk was redacted when it was written, but a secret that came in pieces is put together only now.
  const records = new RecordLog(launchDir, createRedactor(secrets, env), createDeltaGuard(secrets, env))
  let result: RunResult | null = null
  try {
    if (mode === 'terminal') records.addFact({ state: 'exited', source: 'process', at: Date.now(), launch, detail })
    else if (header === null && statSync(path, { throwIfNoEntry: false })?.size) {
      throw new DamagedFile(path, 'it does not begin with what was run')
    } else if (header) result = await rederive(path, header, detail, records, await loadAdapter(header.agent))
  } finally {
    records.close()
  }
  return { result, records: records.records }
}

/** Interprets the whole log again, and adds what of it is not on disk. */
async function rederive(
  path: string,
  { runId, options }: LogHeader,
  reason: string,
  records: RecordLog,
  adapter: AgentAdapter,
): Promise<RunResult | null> {
  const onDisk = records.progress()
  const rederivation = new Rederivation({
    ...{ runId, adapter, options },
    priceOf: pricesFor(options.price, openPrices(findLocations({}, process.env, process.cwd()).configDir).priceOf),
    onEvent: (event, frame) => {
      if (onDisk.has(event, frame)) records.skipEvent(event, frame)
      else records.addEvent(event, frame)
    },
  })
  for await (const { inputs, nested } of readInputs(path)) rederivation.take(inputs, nested)
  if (!rederivation.isFinished) {
    const log = new NativeLog(path, (text) => text)
    const time = Date.now()
    const input = rederivation.lostEnding(reason, time)
    log.inputs([input], null, time)
    rederivation.take([{ n: log.first, time, input }], [])
    log.close()
  }
  return rederivation.result()
}
