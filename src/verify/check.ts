import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentAdapter } from '../contract/adapter.ts'
import type { AgentCapabilities, Unreported } from '../contract/capabilities.ts'
import type { AgentEvent, AgentEventType, EventOfType } from '../contract/events.ts'
import type { AgentName } from '../contract/names.ts'
import type { OutcomeKind } from '../contract/outcome.ts'
import type { RunHandle, RunResult } from '../contract/run-handle.ts'
import type { EndpointOverride, RunOptions } from '../contract/run-options.ts'
import type { SessionManager } from '../contract/session-manager.ts'
import type { Session } from '../contract/sessions.ts'
import type { ScriptedServer } from '../scripted/index.ts'
import type { DaemonBench } from './daemon-bench.ts'
import type { Execution, ExecutionRequest } from './execute.ts'
import type { TerminalBench } from './terminal-bench.ts'

/** One run of the real CLI, seen to its end. */
export interface Finished {
  events: AgentEvent[]
  result: RunResult
}

/** The bench of one check: a scripted model, a scratch home, a scratch repository, and a way to start the agent. */
export interface Bench {
  agent: AgentName
  adapter: AgentAdapter
  /** The same in an environment that has more in it. */
  adapterWith(env: Record<string, string>): Promise<AgentAdapter>
  /** Runs the CLI itself in the scratch home, to see what it says. */
  execute(args: readonly string[], more?: Pick<ExecutionRequest, 'stdin' | 'until'>): Promise<Execution>
  capabilities: AgentCapabilities
  server: ScriptedServer
  cwd: string
  home: string
  endpoint: EndpointOverride
  /** The model that checks run on; undefined: the agent's default. */
  model: string | undefined
  /** Another model of the agent than the one the check runs on. */
  alternativeModel: string
  /** What the agent calls its shell. */
  shellTool: string
  /** The options of a run without credentials, where a key left empty is not the same. */
  keyless?: Partial<RunOptions>
  /** Part of a request that asks for a high effort. */
  highEffort: string
  /** Whether this form of the agent gives a sign of something. */
  tells(what: Unreported, oneShot: boolean): boolean
  /** Runs with this adapter in the place of the agent's own. */
  use(adapter: AgentAdapter): void
  /** The usage of a request is reported when its tools have run. */
  usageAfterTools: boolean
  /** Turns of a restored terminal are not seen while it lives. */
  resumesOnCopy: boolean
  /** A call that was refused on its screen is not reported to the model. */
  forgetsRefusedCalls: boolean
  /** Whether its hooks say what a check asks them for. */
  hooksTell(what: 'title' | 'summary'): boolean
  /** Writes the settings of a user who has set up models, where the agent needs them to report any. */
  setUpModels: () => void
  /** The agent as a user would start it, where the forms that we start run no hooks. */
  ownForm?: { prepare(): void; run(env: Record<string, string>): Promise<Execution> }
  start(options: Partial<RunOptions>): RunHandle
  /** Starts a run and collects it. `during` sees every event and may act on the handle. */
  run(options: Partial<RunOptions>, during?: (event: AgentEvent, handle: RunHandle) => void): Promise<Finished>
  /** Starts the agent's own screen in a terminal. */
  terminal(options: Partial<RunOptions>): Promise<TerminalBench>
  /** Leaves in the scratch home what is there once somebody has started the agent's own screen; `asks`: its rules too. */
  writeScreenFiles(options?: { asks?: boolean }): void
  /** Starts a daemon, which is ended with the bench and all that it has started. */
  daemon(): Promise<DaemonBench>
  /** What was sent to the model, address and body as text, newest last; helper calls left out. */
  sent(): string[]
  /** Processes of a run that are still there two seconds after its end. */
  processesLeft(runId: string): Promise<number[]>
  /** Gives the session files names as if they were of yesterday. */
  ageSessions(): Promise<void>
  sessionFiles(): Promise<string[]>
  /** The manager that a user of the library has, on the scratch home. */
  sessions: SessionManager
  readSessions(): Promise<Session[]>
}

/** Something that must hold for the real CLI of an agent. */
export interface Check {
  name: string
  /** In the words of the capability table. */
  title: string
  /** The scenario that the model plays at first. */
  scenario: string
  /** Most of its time goes by in waits, between the agent's own retries or for its screen, so that it disturbs nobody. */
  waits?: boolean
  /** The agent starts just as that of a user does, with all its processes: it is about to be ended by force. */
  endsByForce?: boolean
  /** Whether the agent claims this at all. */
  applies?: (capabilities: AgentCapabilities) => boolean
  run(bench: Bench): Promise<void>
}

export class CheckFailed extends Error {}

export function must(condition: boolean, message: string): asserts condition {
  if (!condition) throw new CheckFailed(message)
}

export function mustEnd({ result }: Finished, ...kinds: OutcomeKind[]): void {
  const { outcome, error } = result
  const detail = error ? ` (${error.message.slice(0, 200)})` : ''
  must(kinds.includes(outcome.kind), `the outcome is ${outcome.kind}, not ${kinds.join(' or ')}${detail}`)
}

export function mustSee<Type extends AgentEventType>({ events }: Finished, type: Type): EventOfType<Type> {
  const found = events.find((event): event is EventOfType<Type> => event.type === type)
  must(found !== undefined, `no ${type} event`)
  return found
}

export function mustNotSee({ events }: Finished, type: AgentEventType): void {
  must(!events.some((event) => event.type === type), `an unexpected ${type} event`)
}

export function mustSay({ result }: Finished, text: string): void {
  must(result.text.includes(text), `the answer is ${JSON.stringify(result.text.slice(0, 120))}, without "${text}"`)
}

/** The promises that hold for every run, whatever happened in it. */
export function mustKeepOrder({ events, result }: Finished): void {
  const domain = events.filter(({ type }) => type !== 'debug' && type !== 'log')
  must(domain[0]?.type === 'session_start', `the first event is ${domain[0]?.type}, not session_start`)
  must(domain.at(-1)?.type === 'session_end', `the last event is ${domain.at(-1)?.type}, not session_end`)
  for (const [i, event] of events.entries()) {
    must(event.timestamp >= (events[i - 1]?.timestamp ?? 0), 'a timestamp goes back')
    must(event.runId === result.runId, 'an event of another run')
  }
}

const POLL_MS = 100
const PATIENCE_MS = 60_000

/** Waits for something, and fails with what is there in its place. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  problem: () => string | Promise<string>,
  pollMs = POLL_MS,
): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  while (!(await condition())) {
    if (Date.now() > deadline) throw new CheckFailed(await problem())
    await sleep(pollMs)
  }
}
