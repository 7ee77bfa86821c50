import { join } from 'node:path'
import { AgentMuxError } from '../contract/errors.ts'
import { type ControlCommand, LAUNCH_FILES, type RunnerStatus } from '../contract/launch.ts'
import type { RunHandle } from '../contract/run-handle.ts'
import { createClientIn } from '../mux/client.ts'
import { storableOptions } from './frames.ts'
import { type Launch, type LaunchContext, type LaunchEnd, refusal } from './launch.ts'
import { LaunchTap } from './launch-tap.ts'
import { NativeLog } from './native-log.ts'
import { RecordLog } from './record-log.ts'
import { Reserve } from './reserve.ts'
import { performOnRun } from './run-commands.ts'

// What the engine loads when it needs it: this process outlives updates, which may have replaced the package by then.
const loaded = Promise.all([
  import('../engine/host-services.ts'),
  import('../engine/http-exchange.ts'),
  import('../files/working-copy.ts'),
])

/** A launch without a terminal: a run of the library with its log. */
export class HeadlessLaunch implements Launch {
  readonly native: NativeLog
  readonly #records: RecordLog
  readonly #reserve: Reserve
  readonly #context: LaunchContext
  #handle: RunHandle | null = null
  #isStopped = false

  constructor(context: LaunchContext) {
    const { launchDir, redact, guard, spec } = context
    this.#context = context
    this.native = new NativeLog(join(launchDir, LAUNCH_FILES.native), redact, spec.maxLogBytes)
    this.#records = new RecordLog(launchDir, redact, guard, () =>
      context.port.onRecords(this.#records.records, this.#records.offset),
    )
    this.#reserve = new Reserve(launchDir)
  }

  async run(): Promise<LaunchEnd> {
    try {
      await loaded
      const handle = this.#start()
      this.#handle = handle
      if (this.#isStopped) void handle.abort()
      const result = await handle
      return { how: 'ended', result, exit: null, error: null, records: this.#close() }
    } catch (error) {
      return { ...refusal(error), records: this.#close() }
    }
  }

  async perform(command: ControlCommand): Promise<undefined> {
    if (!this.#handle) throw new AgentMuxError('RUN_NOT_ACTIVE', 'The run has not begun yet')
    await performOnRun(this.#handle, command)
  }

  status(): Omit<RunnerStatus, 'agent'> {
    const { records, offset } = this.#records
    const pending = this.#handle?.interaction.pending ?? []
    return { state: this.#handle?.state ?? 'spawned', pending, records, offset }
  }

  /** May come before the run has begun, which is then ended as soon as it has. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#handle?.abort()
  }

  onClose(): void {}

  #start(): RunHandle {
    const { spec, secrets, runId, version, port } = this.#context
    const listener = {
      onSpawn: (pid: number) => port.onSpawn(pid),
      onRecords: () => port.onRecords(this.#records.records, this.#records.offset),
    }
    const tap = new LaunchTap(this.native, this.#records, this.#reserve, listener)
    const mux = createClientIn(process.env, {}, ({ agent, options }) => {
      this.native.begin({ format: 1, runId, agent, version, options: storableOptions(options) })
      return tap
    })
    const env = { ...spec.hooks?.env, ...secrets.env }
    return mux.run({ ...spec.options, ...secrets, env, agent: spec.agent, runId })
  }

  /** How many records there are in the end. Throws when they are not all on disk. */
  #close(): number {
    this.#reserve.release()
    this.native.close()
    this.#records.close()
    return this.#records.records
  }
}
