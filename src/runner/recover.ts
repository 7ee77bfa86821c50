import { join } from 'node:path'
import type { AgentAdapter } from '../contract/adapter.ts'
import { AgentMuxError } from '../contract/errors.ts'
import {
  type KnownSecrets,
  LAUNCH_FILES,
  type LaunchResult,
  type LaunchSpec,
  type RunnerInfo,
} from '../contract/launch.ts'
import type { RunResult } from '../contract/run-handle.ts'
import { Rederivation } from '../engine/rederive.ts'
import { withFileLock } from '../files/lock.ts'
import { createClientIn } from '../mux/client.ts'
import { endRun } from '../process/end-run.ts'
import { bootId } from '../process/identity.ts'
import { removeRunFiles } from '../process/run-files.ts'
import type { LogHeader } from './frames.ts'
import { readSpec, writeResult } from './launch-files.ts'
import { NativeLog, readHeader, readInputs } from './native-log.ts'
import { RecordLog } from './record-log.ts'
import { createDeltaGuard, createRedactor } from './redaction.ts'
import { runnerState } from './state.ts'

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
  const { info } = state
  const spec = await readSpec(launchDir)
  const { result, records } = await complete(launchDir, spec, info, known)
  const ended: LaunchResult = {
    ...{ format: 1, launchId: spec.launchId, endedAt: Date.now(), how: 'lost' },
    ...{ result, exit: null, error: null, records },
  }
  return writeResult(launchDir, ended, createRedactor(known.secrets, known.env))
}

function reasonOf(info: RunnerInfo): string {
  if (info.runner.bootId !== bootId()) return 'the machine was restarted while the agent was running'
  return 'the runner of this session was killed, and its agent with it'
}

/** Adds the records that are missing. */
async function complete(
  launchDir: string,
  { mode, launch }: LaunchSpec,
  info: RunnerInfo,
  { secrets, env }: KnownSecrets,
): Promise<{ result: RunResult | null; records: number }> {
  const path = join(launchDir, LAUNCH_FILES.native)
  const header = await readHeader(path)
  if (header) {
    await endRun(header.runId, info.agent, GRACE_MS)
    await removeRunFiles(header.runId)
  }
  const detail = reasonOf(info)
  // What is on disk was redacted when it was written, but a secret that came in pieces is put together only now.
  const records = new RecordLog(launchDir, createRedactor(secrets, env), createDeltaGuard(secrets, env))
  let result: RunResult | null = null
  try {
    if (mode === 'terminal') records.addFact({ state: 'exited', source: 'process', at: Date.now(), launch, detail })
    else if (header) result = await rederive(path, header, detail, records, await loadAdapter(header.agent))
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
  let again = 0
  const rederivation = new Rederivation({
    ...{ runId, adapter, options },
    onEvent: (event, frame) => {
      if (frame === onDisk.frame) again += 1
      const isOnDisk = frame < onDisk.frame || (frame === onDisk.frame && again <= onDisk.events)
      if (isOnDisk) records.skipEvent(event, frame)
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
