import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { AgentAdapter } from '../contract/adapter.ts'
import { CapabilityError, isAgentMuxError } from '../contract/errors.ts'
import { isTerminalEvent } from '../contract/event-guards.ts'
import type { AgentEvent } from '../contract/events.ts'
import type { ApprovalMode } from '../contract/run-options.ts'
import { createClientIn } from '../mux/client.ts'
import { validateAdapter } from '../mux/validate-adapter.ts'
import { processesLeft } from '../process/processes-left.ts'
import { createFakeCli, type Faults } from './fake-cli.ts'
import { type Recording, replayRecording } from './recording.ts'

/** What `adapterContract` takes. */
export interface ContractRequest {
  /** Makes the adapter for a given home; a plugin that never looks at the home may ignore it. */
  create: (homeDir: string) => AgentAdapter
  /** Recorded runs of the real CLI; one of them must be of a run that ended well. */
  recordings?: readonly Recording[]
  /** Session files as the agent writes them. */
  sessionFiles?: readonly string[]
}

/** One case of the contract suite. */
export interface ContractCase {
  name: string
  run: () => Promise<void>
}

/**
 * What every adapter has to keep, built in or not. Works with any test runner:
 * `for (const { name, run } of adapterContract(request)) test(name, run)`.
 */
export function adapterContract({ create, recordings = [], sessionFiles = [] }: ContractRequest): ContractCase[] {
  const inHome = (work: (home: string, adapter: AgentAdapter) => Promise<void>) => async () => {
    const home = mkdtempSync(join(tmpdir(), 'amux-contract-'))
    try {
      await work(home, create(home))
    } finally {
      rmSync(home, { recursive: true, force: true, maxRetries: 3 })
    }
  }
  return [
    { name: 'registers', run: inHome(async (_, adapter) => validateAdapter(adapter)) },
    { name: 'keeps the prompt out of a shell', run: inHome(async (home, adapter) => checkPrompt(adapter, home)) },
    { name: 'honours or refuses every approval mode', run: inHome(async (home, adapter) => checkModes(adapter, home)) },
    { name: 'never throws on what it does not know', run: inHome(async (_, adapter) => checkTotality(adapter)) },
    { name: 'looks without leaving a trace', run: inHome(checkFootprint) },
    ...recordings.map((recording, i) => ({
      name: `keeps the order of events (recording ${i + 1})`,
      run: inHome(async (_, adapter) => checkOrder(replayRecording(adapter, recording).events)),
    })),
    ...faultCases(recordings[0], inHome),
    ...sessionFiles.map((file, i) => ({
      name: `reads its session file ${i + 1}`,
      run: inHome(async (_, adapter) => checkSession(adapter, file)),
    })),
  ]
}

function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message)
}

function checkPrompt(adapter: AgentAdapter, cwd: string): void {
  const prompt = '$(touch owned) `id` "; rm -rf x; --help'
  const args = adapter.buildSpawnArgs({ agent: adapter.agent, prompt, cwd, nonInteractive: true })
  check(typeof args.command === 'string' && args.command !== '', 'buildSpawnArgs names no command')
  check(
    args.args.every((arg) => typeof arg === 'string'),
    'an argument is not a string',
  )
  check(args.shell !== true, 'the command runs through a shell')
}

const MODES: readonly ApprovalMode[] = ['prompt', 'accept-edits', 'yolo', 'deny']

function checkModes(adapter: AgentAdapter, cwd: string): void {
  for (const approvalMode of MODES) {
    const isClaimed = approvalMode === 'prompt' || adapter.capabilities.approvalModes.includes(approvalMode)
    try {
      adapter.buildSpawnArgs({ agent: adapter.agent, prompt: 'x', cwd, approvalMode })
    } catch (error) {
      check(!isClaimed, `claims approval mode ${approvalMode} and refuses it: ${error}`)
      check(error instanceof CapabilityError || isAgentMuxError(error), `refuses ${approvalMode} with an untyped error`)
    }
  }
}

/** Lines that no CLI prints, and some that one might. Made from a fixed seed, so that a failure can be repeated. */
function* oddLines(count: number): Generator<string> {
  let seed = 42
  const next = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed % below
  }
  const values = ['null', 'true', '[]', '{}', '-1', '""', '"text"', '{"type":"text"}', '[1,{"a":null}]', '1e400']
  const keys = ['type', 'subtype', 'message', 'content', 'event', 'item', 'params', 'result', 'error', 'usage', 'id']
  yield* ['', ' ', '{', '}', 'null', '[]', '"', '\u0000', '{"type":', 'plain words', '{"__proto__":{"x":1}}']
  for (let i = 0; i < count; i++) {
    const fields = Array.from({ length: next(5) }, () => `"${keys[next(keys.length)]}":${values[next(values.length)]}`)
    yield `{${fields.join(',')}}`
  }
}

function checkTotality(adapter: AgentAdapter): void {
  const stdout = Buffer.from([...oddLines(2000)].join('\n'))
  const recording = { stdout, stderr: stdout, exitCode: 1, signal: null, options: {} }
  const { events } = replayRecording(adapter, recording)
  const broken = events.find((event) => event.type === 'error' && event.code === 'PARSE_ERROR')
  check(broken === undefined, `threw on a line: ${broken?.type === 'error' ? broken.message : ''}`)
}

function checkOrder(events: readonly AgentEvent[]): void {
  const domain = events.filter(({ type }) => type !== 'debug' && type !== 'log')
  if (domain.length === 0) return
  check(
    domain[0]?.type === 'session_start' || isTerminalEvent(domain[0] ?? { type: 'debug' }),
    `begins with ${domain[0]?.type}`,
  )
  check(domain.at(-1)?.type === 'session_end', `ends with ${domain.at(-1)?.type}`)
  check(domain.filter(isTerminalEvent).length <= 1, 'has more than one terminal event')
  const open = new Set<string>()
  for (const event of domain) {
    if (event.type === 'turn_start') check(!open.has('turn'), 'a turn begins inside a turn')
    if (event.type === 'turn_start') open.add('turn')
    if (event.type === 'turn_end') check(open.delete('turn'), 'a turn ends that has not begun')
    if (event.type === 'tool_call_start') open.add(event.toolCallId)
    if (event.type === 'tool_result' || event.type === 'tool_error') open.delete(event.toolCallId)
  }
  check(open.size === 0, `left open: ${[...open].join(', ')}`)
}

async function checkFootprint(home: string, adapter: AgentAdapter): Promise<void> {
  await adapter.detectAuth()
  adapter.getAuthGuidance()
  await adapter.readConfig(home)
  await adapter.listSessionFiles(home)
  const left = readdirSync(home)
  check(left.length === 0, `wrote into the home: ${left.join(', ')}`)
}

async function checkSession(adapter: AgentAdapter, file: string): Promise<void> {
  const session = await adapter.parseSessionFile(file)
  check(session.agent === adapter.agent, `the session belongs to ${session.agent}`)
  check(session.unifiedId === `${adapter.agent}:${session.sessionId}`, `the unified id is ${session.unifiedId}`)
  check(session.messages.length > 0, 'the session has no messages')
}

type InHome = (work: (home: string, adapter: AgentAdapter) => Promise<void>) => () => Promise<void>

/** The adapter on a program that replays a recording and misbehaves. */
function faultCases(recording: Recording | undefined, inHome: InHome): ContractCase[] {
  if (!recording) return []
  const faults: Record<string, Faults> = {
    'torn records': { pieceBytes: 7 },
    'invalid UTF-8': { invalidUtf8: true },
    'a grandchild that stays': { leaveGrandchild: true },
    'an end in the middle of a line': { cutAfterLines: 2, exitCode: 1 },
  }
  return [
    ...Object.entries(faults).map(([name, fault]) => ({
      name: `survives ${name}`,
      run: inHome(async (home, adapter) => {
        const { events, runId } = await runFake(home, adapter, recording, fault)
        checkOrder(events)
        await checkNothingLeft(runId)
      }),
    })),
    {
      name: 'is ended by abort, even when it ignores TERM',
      run: inHome(async (home, adapter) => {
        const stall = { stallAfterLines: 1, ignoreTerm: true }
        const { events, runId, outcome } = await runFake(home, adapter, recording, stall, true)
        // A first line that already reports a failure is a verdict of its own.
        const whole = replayRecording(adapter, recording).result.outcome.kind
        check(outcome === 'cancelled' || (outcome === whole && whole !== 'completed'), `the outcome is ${outcome}`)
        checkOrder(events)
        await checkNothingLeft(runId)
      }),
    },
  ]
}

async function runFake(home: string, adapter: AgentAdapter, recording: Recording, faults: Faults, abort = false) {
  const binDir = join(home, 'bin')
  createFakeCli({ directory: binDir, command: adapter.cliCommand, recording, faults })
  const env = { HOME: home, PATH: `${binDir}${delimiter}${process.env.PATH}` }
  const client = createClientIn(env, { configDir: join(home, 'config'), projectConfigDir: join(home, 'project') })
  client.adapters.register(adapter)
  const handle = client.run({
    ...recording.options,
    agent: adapter.agent,
    prompt: 'x',
    cwd: home,
    nonInteractive: true,
    gracePeriodMs: 300,
  })
  const events: AgentEvent[] = []
  if (abort) setTimeout(() => void handle.abort(), 500)
  for await (const event of handle) events.push(event)
  return { events, runId: handle.runId, outcome: (await handle.result()).outcome.kind }
}

async function checkNothingLeft(runId: string): Promise<void> {
  const left = await processesLeft(runId)
  check(left.length === 0, `processes left: ${left.join(', ')}`)
}
