import type {
  ControlRequest,
  ControlResult,
  HiddenOptions,
  LaunchSecrets,
  LaunchSpec,
  RunnerInfo,
} from '../contract/launch.ts'
import { ulid } from '../core/ulid.ts'
import { Guard } from '../process/guard.ts'
import { identityOf } from '../process/identity.ts'
import { removeRunFiles } from '../process/run-files.ts'
import { createFind } from '../secrets/find.ts'
import { knownValues } from '../secrets/known-values.ts'
import { createDeltaGuard, createRedactor } from '../secrets/redaction.ts'
import { type ControlConnection, type ControlHandler, ControlServer } from './control-server.ts'
import { type Launch, type LaunchContext, type LaunchEnd, refusal } from './launch.ts'
import { claimLaunch, readSpec, updateInfo, wholeSpec, writeResult } from './launch-files.ts'
import { OnceByKey } from './once-by-key.ts'
import { newSocketPath, removeSocketDirectory } from './socket-path.ts'
import { SpoolScrub } from './spool-scrub.ts'
import { watchDirectory } from './watch-directory.ts'

export interface RunnerRequest {
  launchDir: string
  secrets: LaunchSecrets
  /** What the file of the launch does not have whole. */
  hidden: HiddenOptions
  version: string
  /** It can be talked to. */
  onReady: () => void
}

/** One launch from its claim to its result. Returns at once when another runner has it. */
export async function runLaunch({ launchDir, secrets, hidden, version, onReady }: RunnerRequest): Promise<void> {
  const spec = await readSpec(launchDir)
  const info = describe(launchDir, spec, version)
  if (!claimLaunch(launchDir, info)) return removeSocketDirectory(info.socket)
  const runId = spec.options.runId ?? ulid(Date.now())
  const guard = new Guard(runId)
  const port = {
    onSpawn: (pid: number) => runner.onSpawn(pid, guard),
    onRecords: (records: number, offset: number) => server.notifyRecords(records, offset),
  }
  const redact = createRedactor(secrets, process.env)
  const deltas = createDeltaGuard(secrets, process.env)
  const finish = (end: LaunchEnd) =>
    writeResult(launchDir, { format: 1, launchId: spec.launchId, endedAt: Date.now(), ...end }, redact)
  const open = async () =>
    openLaunch({
      ...{ launchDir, spec: wholeSpec(spec, hidden), secrets, runId, version, redact },
      ...{ guard: deltas, port },
    })
  const launch = await open().catch(async (error) => {
    guard.done()
    // It lacks something, or the logs cannot be opened. Where not even this can be written, it counts as lost.
    await finish({ ...refusal(error), records: 0 })
  })
  if (!launch) return
  const runner = new Runner(launchDir, info, launch)
  const server = new ControlServer(runner)
  // Before anybody can know of it: a signal that nobody waits for would kill the runner, not end the run.
  process.on('SIGTERM', () => void launch.stop())
  process.on('SIGINT', () => void launch.stop())
  await server.listen(info.socket)
  watchDirectory(launchDir, () => void abandon(runId, guard, launch))
  onReady()
  const scrub = new SpoolScrub(launchDir, spec, createFind(knownValues(secrets, process.env)))
  const end = await launch.run()
  scrub.close()
  guard.done()
  await runner.infoWritten
  await finish(end)
  await server.close()
  removeSocketDirectory(info.socket)
}

/**
 * There is nothing left to write to, and nobody who could find this run. Continuing to write would only create again what somebody
 * has removed, so this is an end like kill -9: the guard ends the agent and all that it started.
 */
async function abandon(runId: string, guard: Guard, launch: Launch): Promise<void> {
  if (guard.pid === undefined) await launch.stop()
  await removeRunFiles(runId)
  process.exit(1)
}

function describe(launchDir: string, { launchId }: LaunchSpec, version: string): RunnerInfo {
  const runner = identityOf(process.pid)
  if (!runner) throw new Error('This process is not in the process table')
  const socket = newSocketPath(launchDir, launchId)
  return { format: 1, launchId, runner, agent: null, socket, startedAt: Date.now(), version }
}

/** The terminal needs more code, which a headless run does without. */
async function openLaunch(context: LaunchContext): Promise<Launch> {
  if (context.spec.mode === 'terminal') {
    const { TerminalLaunch } = await import('./terminal-launch.ts')
    return new TerminalLaunch(context)
  }
  const { HeadlessLaunch } = await import('./headless.ts')
  return new HeadlessLaunch(context)
}

/** Answers the control socket, and keeps `runner.json` up to date. */
class Runner implements ControlHandler {
  infoWritten: Promise<void> = Promise.resolve()
  readonly #launchDir: string
  readonly #launch: Launch
  readonly #once: OnceByKey
  #info: RunnerInfo

  constructor(launchDir: string, info: RunnerInfo, launch: Launch) {
    this.#launchDir = launchDir
    this.#info = info
    this.#launch = launch
    this.#once = new OnceByKey(launch.native)
  }

  onSpawn(pid: number, guard: Guard): void {
    const agent = identityOf(pid)
    guard.watch(pid)
    this.#info = { ...this.#info, agent }
    const info = this.#info
    this.infoWritten = this.infoWritten.then(() => updateInfo(this.#launchDir, info)).catch(complain)
  }

  async onRequest(request: ControlRequest, connection: ControlConnection): Promise<ControlResult> {
    if (request.command === 'status') return { ...this.#launch.status(), agent: this.#info.agent }
    return this.#once.perform(request, () => this.#launch.perform(request, connection))
  }

  onClose(connection: ControlConnection): void {
    this.#launch.onClose(connection)
  }
}

function complain(error: unknown): void {
  console.error(error)
}
