import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fact } from '../contract/activity.ts'
import type { AgentAdapter } from '../contract/adapter.ts'
import { AgentMuxError, CapabilityError } from '../contract/errors.ts'
import {
  type ControlCommand,
  type ControlResult,
  LAUNCH_FILES,
  MAX_TERMINAL_LENGTH,
  type RunnerStatus,
  type TerminalSize,
} from '../contract/launch.ts'
import type { RunOptions } from '../contract/run-options.ts'
import type { LaunchPlan } from '../contract/terminal.ts'
import { openWorkingCopy } from '../files/working-copy.ts'
import { addArguments } from '../hooks/add-arguments.ts'
import { createClientIn } from '../mux/client.ts'
import { planTerminal, type TerminalPlan } from '../mux/plan-terminal.ts'
import { openTerminalSpending } from '../mux/terminal-spending.ts'
import { agentEnvironment } from '../process/environment.ts'
import { here } from '../process/here.ts'
import type { PtyExit, PtyProcess } from '../process/place.ts'
import { ProcessTree } from '../process/process-tree.ts'
import { type RunFiles, writeRunFiles } from '../process/run-files.ts'
import { createTerminalGuard } from '../secrets/redaction.ts'
import type { TerminalGuard } from '../secrets/terminal-guard.ts'
import type { ControlConnection } from './control-server.ts'
import { FirstPrompt } from './first-prompt.ts'
import { storableOptions } from './frames.ts'
import { isInterruptKey } from './interrupt-keys.ts'
import { lastWords } from './last-words.ts'
import { type Launch, type LaunchContext, type LaunchEnd, refusal } from './launch.ts'
import { NativeLog } from './native-log.ts'
import { RecordLog } from './record-log.ts'
import { Screen } from './screen.ts'
import { ScreenWatch } from './screen-watch.ts'
import { TerminalBudget } from './terminal-budget.ts'
import { decide } from './terminal-decide.ts'
import { interrupt } from './terminal-interrupt.ts'
import { TerminalLog } from './terminal-log.ts'
import { TerminalOutput } from './terminal-output.ts'
import { submit, type TerminalTyping } from './terminal-submit.ts'
import { Viewers } from './viewers.ts'

const NO_HOOKS = { args: [] }
const DEFAULT_SIZE = { cols: 120, rows: 36 }
const GRACE_MS = 3000
const STRAY_GRACE_MS = 300
/** A terminal that costs too much is not waited for. */
const LEAVE_MS = 100
const KEY_PAUSE_MS = 400
/** How long a message waits for a screen that has not said anything yet. */
const KNOWN_MS = 15_000

/** What there is while the agent's process lives. */
interface Running {
  pty: PtyProcess
  plan: LaunchPlan
  screen: Screen
  watch: ScreenWatch
  tree: ProcessTree
}

/** A launch in a terminal: the agent's own screen, for people to look at and type into. */
export class TerminalLaunch implements Launch {
  readonly native: NativeLog
  readonly #context: LaunchContext
  readonly #records: RecordLog
  readonly #client = createClientIn(process.env)
  readonly #viewers = new Viewers()
  readonly #guard: TerminalGuard
  /** Resolves when the program runs, and when it is known that it will not. */
  readonly #started: Promise<void>
  #onStarted: () => void = () => {}
  #running: Running | null = null
  #firstPrompt: FirstPrompt | null = null
  #budget: TerminalBudget | null = null
  #stopped = false

  constructor(context: LaunchContext) {
    const { launchDir, redact, guard } = context
    this.#context = context
    this.native = new NativeLog(join(launchDir, LAUNCH_FILES.native), redact)
    this.#records = new RecordLog(launchDir, redact, guard)
    this.#guard = createTerminalGuard(context.secrets, process.env)
    this.#started = new Promise((resolve) => {
      this.#onStarted = resolve
    })
  }

  async run(): Promise<LaunchEnd> {
    try {
      const exit = await this.#run()
      const excess = this.#budget?.excess ?? null
      const error = excess === null ? null : { code: 'BUDGET_EXCEEDED' as const, message: excess }
      return { how: 'ended', result: null, exit, error, records: this.#close() }
    } catch (error) {
      return { ...refusal(error), records: this.#close() }
    }
  }

  async perform(command: ControlCommand, connection: ControlConnection): Promise<ControlResult> {
    await this.#started
    const running = this.#running
    if (!running) throw new AgentMuxError('RUN_NOT_ACTIVE', 'The terminal has no program in it')
    const { screen } = running
    if (command.command === 'subscribe') return this.#subscribe(connection, screen)
    if (command.command === 'screen') return screen.settled(() => screen.text())
    if (command.command === 'unsubscribe') this.#viewers.remove(connection)
    else await this.#act(running, command)
    return undefined
  }

  async #act(running: Running, command: ControlCommand): Promise<void> {
    const { pty, plan } = running
    switch (command.command) {
      case 'resize':
        return this.#resize(running, command)
      case 'input':
        if (isInterruptKey(command.data, plan.keys)) running.watch.stopPressed()
        return pty.write(command.data)
      case 'send':
        return this.#send(running, command.text)
      case 'interrupt':
        return interrupt({ watch: running.watch, keys: plan.keys, press: (keys) => press(pty, keys) })
      case 'approve':
      case 'deny':
        return this.#decide(running, command)
      case 'close':
      case 'abort':
        return this.stop()
      default:
        throw new CapabilityError(this.#context.spec.agent, `${command.command} in a terminal`, {
          hint: 'Attach to the session and do it there.',
        })
    }
  }

  status(): Omit<RunnerStatus, 'agent'> {
    const { records, offset } = this.#records
    const size = this.#running?.screen.size ?? DEFAULT_SIZE
    const terminal = { ...size, viewers: this.#viewers.count }
    return { state: this.#running ? 'running' : 'spawned', pending: [], records, offset, terminal }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#running?.tree.end(this.#context.spec.options.gracePeriodMs ?? GRACE_MS)
  }

  onClose(connection: ControlConnection): void {
    this.#viewers.remove(connection)
  }

  async #run(): Promise<NonNullable<LaunchEnd['exit']>> {
    const { spec, secrets, runId, version, launchDir } = this.#context
    const given: RunOptions = { ...spec.options, ...secrets, agent: spec.agent }
    this.native.begin({ format: 1, runId, agent: spec.agent, version, options: storableOptions(given) })
    const { adapter, plan, options } = await this.#plan(given)
    const settleCopy = plan.workingCopy ? await openWorkingCopy(plan.workingCopy) : async () => {}
    const files = await writeRunFiles(here, plan.files, runId)
    const log = new TerminalLog(join(launchDir, LAUNCH_FILES.terminal))
    try {
      const running = await this.#start(adapter, plan, options, files)
      const output = this.#watch(running, log)
      const exit = await running.pty.exited
      output.close()
      running.watch.stop()
      running.tree.stopWatching()
      await running.tree.end(STRAY_GRACE_MS)
      this.#addFact({ state: 'exited', source: 'process', at: Date.now(), launch: spec.launch, detail: describe(exit) })
      if (exit.exitCode === 0 || this.#stopped) return exit
      return { ...exit, lastWords: await running.screen.settled(() => lastWords(running.screen.text())) }
    } finally {
      this.#budget?.stop()
      this.#onStarted()
      this.#running = null
      log.close()
      await files.remove()
      await settleCopy()
    }
  }

  /** Kept here, beside the agent, because it is to hold within one request. */
  async #openBudget(
    adapter: AgentAdapter,
    options: RunOptions,
    env: Record<string, string>,
  ): Promise<TerminalBudget | null> {
    const { maxCostUsd, sessionId, forkSessionId } = options
    if (maxCostUsd === undefined) return null
    const spending = await openTerminalSpending(this.#client.adapters, adapter, options, env)
    if (!spending) return null
    const budget = new TerminalBudget(spending, maxCostUsd, sessionId, () => void this.#endForBudget())
    await budget.begin(sessionId ?? forkSessionId)
    return budget
  }

  /** It is held at once, so that it asks for nothing more while it is counted and ended. */
  async #endForBudget(): Promise<void> {
    this.#stopped = true
    const tree = this.#running?.tree
    tree?.signalGroup('SIGSTOP')
    await this.#budget?.lastLook()
    await tree?.end(LEAVE_MS)
  }

  async #plan(options: RunOptions): Promise<TerminalPlan> {
    try {
      return await planTerminal(this.#client, options)
    } catch (error) {
      this.#onStarted()
      throw error
    }
  }

  async #start(adapter: AgentAdapter, plan: LaunchPlan, options: RunOptions, files: RunFiles): Promise<Running> {
    const { spec, runId, port } = this.#context
    const env = this.#environment(adapter, plan, options, files)
    this.#budget = await this.#openBudget(adapter, options, env)
    const command = here.find(adapter.cliCommand, env)
    if (command === null) {
      throw new AgentMuxError('AGENT_NOT_INSTALLED', `There is no \`${adapter.cliCommand}\` on PATH`)
    }
    const args = [...addArguments(plan.args, spec.hooks ?? NO_HOOKS), ...plan.promptArgs].map(files.fill)
    const size = bounded(spec.terminal ?? DEFAULT_SIZE)
    const screen = await Screen.open(size, (text) => pty.write(text))
    const pty = await here.pty({ command, args, env, cwd: options.cwd ?? process.cwd(), ...size })
    port.onSpawn(pty.pid)
    this.native.note({ kind: 'spawn', data: { pid: pty.pid } })
    const read = adapter.readScreen?.bind(adapter)
    const onFact = (fact: Fact) => this.#addFact(fact)
    const answer = (keys: readonly string[]) => void press(pty, keys)
    const { answers } = plan
    const watch = new ScreenWatch({ screen, launch: spec.launch, read, onFact, press: answer, answers })
    return { pty, plan, screen, watch, tree: new ProcessTree(pty.pid, runId) }
  }

  #environment(adapter: AgentAdapter, plan: LaunchPlan, options: RunOptions, files: RunFiles): Record<string, string> {
    const { spec, runId } = this.#context
    const own = Object.fromEntries(Object.entries(plan.env).map(([name, value]) => [name, files.fill(value)]))
    return agentEnvironment({
      processEnv: process.env,
      passEnv: [...(adapter.manifest?.passEnv ?? []), ...(options.passEnv ?? [])],
      set: [{ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, own, spec.hooks?.env ?? {}, options.env ?? {}],
      joined: { names: adapter.manifest?.joinEnv ?? [], own },
      runId,
    })
  }

  #watch(running: Running, log: TerminalLog): TerminalOutput {
    const { pty, screen, watch, tree } = running
    this.#running = running
    const onChange = () => {
      tree.look()
      watch.changed()
    }
    const output = new TerminalOutput(pty, this.#guard, { log, screen, viewers: this.#viewers, onChange })
    this.#onStarted()
    if (this.#stopped) void this.stop()
    else this.#typeFirst(running)
    return output
  }

  #typeFirst(running: Running): void {
    const { plan, watch } = running
    const { typedPrompt } = plan
    if (typedPrompt === undefined) return
    this.#firstPrompt = new FirstPrompt({
      ready: watch.idle,
      type: () => submit(typedPrompt, this.#typing(running)),
      onFailure: (sign) =>
        this.#addFact({ ...sign, source: 'screen', at: Date.now(), launch: this.#context.spec.launch }),
    })
  }

  async #subscribe(connection: ControlConnection, screen: Screen): Promise<ControlResult> {
    const { release } = this.#viewers.add(connection)
    const snapshot = await screen.settled(() => screen.snapshot())
    setImmediate(release) // the answer with the screen goes out before
    return snapshot
  }

  #resize({ pty, screen }: Running, { cols, rows }: TerminalSize): void {
    pty.resize({ cols, rows })
    screen.resize({ cols, rows })
    this.#viewers.resized({ cols, rows })
  }

  async #send(running: Running, text: string): Promise<void> {
    const { watch } = running
    await watch.until((sign) => sign !== null, watch.isNew ? KNOWN_MS : 0)
    if (watch.dialog !== null) {
      throw new AgentMuxError('INVALID_STATE_TRANSITION', `A message would answer a dialog: ${watch.dialog}`, {
        hint: 'Attach to the session and answer it.',
      })
    }
    await this.#firstPrompt?.settled()
    await submit(text, this.#typing(running))
  }

  #decide(
    { pty, plan, watch }: Running,
    given: Extract<ControlCommand, { command: 'approve' | 'deny' }>,
  ): Promise<void> {
    const { agent } = this.#context.spec
    const words = given.command === 'approve' ? given.detail : given.reason
    if (words !== undefined) {
      throw new CapabilityError(agent, 'a word beside the answer in a terminal', { hint: 'Answer without a reason.' })
    }
    return decide({ agent, decision: given.command, watch, keys: plan.keys, press: (keys) => press(pty, keys) })
  }

  #typing({ screen, plan, watch, pty }: Running): TerminalTyping {
    const isBlocked = () => watch.until((sign) => sign?.state === 'blocked', 0)
    const shown = (text: string) => this.#guard.shown(text)
    return { screen, keys: plan.keys, shown, isBlocked, write: (keys) => pty.write(keys) }
  }

  #addFact(fact: Fact): void {
    this.#records.addFact(fact)
    this.#records.flush()
    this.#context.port.onRecords(this.#records.records, this.#records.offset)
  }

  #close(): number {
    this.native.close()
    this.#records.close()
    return this.#records.records
  }
}

/** The size comes from a file. */
function bounded({ cols, rows }: TerminalSize): TerminalSize {
  const within = (length: number, otherwise: number) =>
    Number.isInteger(length) && length > 0 && length <= MAX_TERMINAL_LENGTH ? length : otherwise
  return { cols: within(cols, DEFAULT_SIZE.cols), rows: within(rows, DEFAULT_SIZE.rows) }
}

/** With a pause, or two keys would be taken for one. */
async function press(pty: PtyProcess, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    pty.write(key)
    await sleep(KEY_PAUSE_MS)
  }
}

function describe({ exitCode, signal }: PtyExit): string {
  return signal === null ? `it ended with exit code ${exitCode}` : `it was ended by ${signal}`
}
