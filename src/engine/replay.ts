import type { AgentAdapter } from '../contract/adapter.ts'
import type { DialogueExit, TurnFailure } from '../contract/dialogue.ts'
import { isTerminalEvent } from '../contract/event-guards.ts'
import type { AgentEvent } from '../contract/events.ts'
import type { RunResult } from '../contract/run-handle.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { wasStopped } from '../core/exit.ts'
import { parseRecord } from '../core/json.ts'
import { LineSplitter } from '../core/lines.ts'
import { createDialogue } from './default-dialogue.ts'
import { openEnvelope } from './envelope.ts'
import { judge } from './outcome.ts'
import { buildResult } from './result.ts'
import { Translator } from './translator.ts'

export interface Recording {
  stdout: Buffer
  stderr?: Buffer
  exitCode?: number | null
  signal?: string | null
}

export interface ReplayOptions {
  runId: string
  now: () => number
  /** As far as they are known; `agent` is the adapter's own. */
  options?: Partial<RunOptions>
  /** Attempts that failed before this one, each of which was retried by policy. */
  earlier?: readonly Recording[]
}

const STDERR_TAIL_BYTES = 64 * 1024

const NONE = Buffer.alloc(0)

function exitOf({ exitCode, signal = null, stderr = NONE }: Recording): DialogueExit {
  const tail = stderr.subarray(-STDERR_TAIL_BYTES).toString('utf8')
  return { exitCode: exitCode ?? (signal ? null : 0), signal, stderr: tail }
}

function linesOf(bytes: Buffer): string[] {
  const splitter = new LineSplitter()
  const lines = splitter.push(bytes)
  const rest = splitter.flush()
  return rest === null ? lines : [...lines, rest]
}

/** How recorders begin a line; what agents print is parsed once only, by their dialogue. */
const ENVELOPE = /^\{"(?:t|ms|dir)":/

/** The agent's line that stands in a line of a recording, or the one that was written to it. Null: neither. */
function recorded(line: string): { line: string; from: 'agent' | 'client' } | null {
  const envelope = ENVELOPE.test(line) ? openEnvelope(parseRecord(line) ?? {}) : null
  if (envelope === null) return { line, from: 'agent' }
  const { from, message } = envelope
  return from === 'recorder' ? null : { line: JSON.stringify(message), from }
}

/**
 * Interprets the recorded output of an agent exactly as a live run would. The two streams were recorded apart, so
 * their order is not known: stderr goes before the last line of stdout, which ends the turn in nearly every recording.
 * Where more lines follow, what stderr tells would begin another turn: then it goes before the line that ended the last one.
 */
export function replay(
  adapter: AgentAdapter,
  recording: Recording,
  options: ReplayOptions,
): { events: AgentEvent[]; result: RunResult } {
  const { tooLateBy, ...told } = interpret(adapter, recording, options)
  if (tooLateBy === 0) return told
  const { events, result } = interpret(adapter, recording, options, tooLateBy)
  return { events, result }
}

/** `back`: how many lines of stdout earlier stderr stands. `tooLateBy`: how many lines too late it stood. */
function interpret(
  adapter: AgentAdapter,
  recording: Recording,
  { runId, now, options = {}, earlier = [] }: ReplayOptions,
  back = 0,
): { events: AgentEvent[]; result: RunResult; tooLateBy: number } {
  const retryPolicy = earlier.length > 0 ? {} : undefined
  const runOptions: RunOptions = { prompt: '', nonInteractive: true, retryPolicy, ...options, agent: adapter.agent }
  const events: AgentEvent[] = []
  const openQuestions = new Map<string, string>()
  const openApprovals = new Map<string, string>()
  let failure: TurnFailure | null = null
  let failedTurnHasEnded = false
  let turnIsOpen = false
  const translator = new Translator(
    { runId, options: runOptions, now, timeIsKnown: false },
    {
      onEvent(event) {
        events.push(event)
        // A later turn makes good what an earlier one failed in; a failure before any turn has its own still to come.
        if (event.type === 'turn_start' && failedTurnHasEnded) failure = null
        if (event.type === 'turn_end' && failure !== null) failedTurnHasEnded = true
        if (event.type === 'turn_start' || event.type === 'turn_end') turnIsOpen = event.type === 'turn_start'
        if (event.type === 'input_required') openQuestions.set(event.interactionId, event.question)
        if (event.type === 'approval_request') openApprovals.set(event.interactionId, event.toolName ?? event.action)
        if (event.type === 'approval_denied' || event.type === 'approval_granted') {
          openApprovals.delete(event.interactionId)
        }
        // What was asked in a recorded dialogue was answered there if the turn went on to its end.
        if (event.type === 'turn_end') {
          openApprovals.clear()
          openQuestions.clear()
        }
      },
      onWrite() {},
      onCloseStdin() {},
      onHost() {},
      onHttp() {},
      onEndProcess() {},
      onMayBeOver() {},
      onFailure(one) {
        failure ??= one
        failedTurnHasEnded = !turnIsOpen && totals.turnCount > 0
      },
    },
  )
  const { totals } = translator.normaliser
  const newDialogue = () => createDialogue(adapter, runOptions, runId, false, translator.normaliser)
  let dialogue = newDialogue()

  const read = (text: string) => {
    const told = recorded(text)
    if (told?.from === 'agent') translator.line(dialogue, told.line, 'stdout')
    else if (told !== null) translator.apply(dialogue.onWritten?.(told.line) ?? [])
  }
  earlier.forEach((failed, index) => {
    linesOf(failed.stdout).forEach(read)
    for (const line of linesOf(failed.stderr ?? NONE)) translator.line(dialogue, line, 'stderr')
    translator.apply(dialogue.onExit(exitOf(failed)))
    const reason = failure?.outcome.evidence ?? 'the attempt failed'
    translator.retry({ attempt: index + 1, maxAttempts: earlier.length, reason, delayMs: 0 })
    for (const open of [openQuestions, openApprovals]) open.clear()
    failure = null
    failedTurnHasEnded = false
    dialogue = newDialogue()
  })
  const stdout = linesOf(recording.stdout)
  const last = Math.max(0, stdout.findLastIndex((line) => line.trim() !== '') - back)
  let endedAt = last
  stdout.slice(0, last).forEach((line, index) => {
    const wasOpen = turnIsOpen
    read(line)
    if (wasOpen && !turnIsOpen) endedAt = index
  })
  const wasOver = totals.turnCount > 0 && !turnIsOpen
  for (const line of linesOf(recording.stderr ?? NONE)) translator.line(dialogue, line, 'stderr')
  const tooLateBy = wasOver && turnIsOpen ? last - endedAt : 0
  stdout.slice(last).forEach(read)

  const exit = exitOf(recording)
  // Whoever stops an agent that has done its turn does not take the turn back: as in a live run, that we have closed.
  const endedByUs = !turnIsOpen && totals.turnCount > 0 && wasStopped(exit)
  translator.apply(dialogue.onExit(exit))
  const verdict = judge({
    stop: null,
    failure,
    deniedTools: totals.deniedTools,
    retrying: totals.retrying,
    openQuestions: [...openQuestions.values()],
    openApprovals: [...openApprovals.values()],
    endedByUs,
    ...exit,
  })
  const alreadyTerminal = events.some(isTerminalEvent)
  translator.finish(alreadyTerminal ? { ...verdict, terminal: null } : verdict)
  const first = events[0]?.timestamp ?? 0
  const result = buildResult({
    runId,
    agent: adapter.agent,
    totals,
    verdict,
    models: adapter.models,
    model: translator.model,
    structuredOutput: translator.structuredOutput,
    quota: translator.quota,
    unrecognized: translator.unrecognized,
    durationMs: (events.at(-1)?.timestamp ?? first) - first,
    exit,
    events: [],
    tags: runOptions.tags ?? [],
  })
  return { events, result, tooLateBy }
}
