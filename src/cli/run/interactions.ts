import type { AgentEvent, ApprovalRequestEvent, InputRequiredEvent } from '../../contract/events.ts'
import type { RunHandle } from '../../contract/run-handle.ts'
import { callLines, moreLine, shownCall } from '../approval-text.ts'
import type { Paint } from '../output.ts'
import { visibleLine } from '../text.ts'

/** Asks one question; null when nobody is there to answer any more. */
export type Ask = (question: string, signal: AbortSignal) => Promise<string | null>

/** Answers what the agent asks. Called for each event in order, so a question comes after what led to it. */
export type Answerer = (event: AgentEvent) => Promise<void> | void

const NOBODY = 'Nobody is there to answer: the run has no terminal.'

/** Tells the agent that it may ask; those who answer find the questions among what is pending. */
export function answeredByUs(): Promise<string> {
  return new Promise(() => {})
}

/**
 * Approvals which the approval mode or a callback settles are never announced, so they are not asked for. Questions
 * have to be looked up: in runs with `onInputRequired` they are not announced either.
 */
export function watchAnnounced(handle: RunHandle): (event: ApprovalRequestEvent | InputRequiredEvent) => boolean {
  const announced = new Set<string>()
  handle.interaction.onPending(({ id }) => announced.add(id))
  return (event) =>
    isPending(handle, event.interactionId) && (event.type === 'input_required' || announced.has(event.interactionId))
}

function isPending(handle: RunHandle, id: string): boolean {
  return handle.interaction.pending.some((one) => one.id === id)
}

/** For runs without anybody to ask. */
export function denyAll(handle: RunHandle): Answerer {
  const needsAnswer = watchAnnounced(handle)
  return (event) => {
    if (event.type !== 'approval_request' && event.type !== 'input_required') return
    if (needsAnswer(event)) handle.interaction.respond(event.interactionId, { type: 'deny', reason: NOBODY })
  }
}

export interface AskOptions {
  ask: Ask
  say(line: string): void
  /** Before the question is shown. */
  pause(): void
  paint: Paint
}

/** Asks the user. Reading events waits meanwhile, so nothing is written into the question. */
export function askUser(handle: RunHandle, { ask, say, pause, paint }: AskOptions): Answerer {
  const needsAnswer = watchAnnounced(handle)
  const allowed = new Set<string>()

  const approve = async (event: ApprovalRequestEvent, signal: AbortSignal) => {
    const tool = event.toolName ?? event.action
    if (allowed.has(tool)) return handle.interaction.respond(event.interactionId, { type: 'approve' })
    const risk = event.riskLevel === 'high' ? paint('red', ' (high risk)') : ''
    const { lines, more } = shownCall(event, paint)
    const [only = '', ...rest] = lines
    const isShort = rest.length === 0
    say(
      `${paint('yellow', '?')} ${paint('bold', visibleLine(tool))} wants to run${risk}:${isShort ? ` ${only}` : ''}`.trimEnd(),
    )
    if (!isShort) for (const line of lines) say(`    ${line}`)
    if (more > 0) say(`    ${moreLine(more, 'v shows all', paint)}`)
    const showAll = () => {
      for (const line of callLines(event, paint)) say(`    ${line}`)
    }
    const choices = more > 0 ? '  [y]es, [n]o, [a]lways or [v]iew all? ' : '  [y]es, [n]o or [a]lways? '
    const answer = await askFor(ask, choices, signal, (line) => readDecision(line, more > 0 ? showAll : null))
    if (signal.aborted || !isPending(handle, event.interactionId)) return
    if (answer === 'always') allowed.add(tool)
    const response = answer === 'no' || answer === null ? ({ type: 'deny' } as const) : ({ type: 'approve' } as const)
    handle.interaction.respond(event.interactionId, response)
  }

  const reply = async (event: InputRequiredEvent, signal: AbortSignal) => {
    const { question, context, options = [], interactionId } = event
    say(`${paint('yellow', '?')} ${paint('bold', visibleLine(question))}`)
    if (context) for (const line of context.split('\n')) say(paint('dim', `    ${visibleLine(line)}`))
    for (const [index, option] of options.entries()) say(`  ${index + 1}. ${visibleLine(option)}`)
    const prompt = options.length > 0 ? '  a number, or your own words: ' : '  › '
    const text = await askFor(ask, prompt, signal, (line) => readOption(line, options))
    if (signal.aborted || !isPending(handle, interactionId)) return
    handle.interaction.respond(interactionId, text === null ? { type: 'deny', reason: NOBODY } : { type: 'text', text })
  }

  return async (event) => {
    if (event.type !== 'approval_request' && event.type !== 'input_required') return
    if (!needsAnswer(event)) return
    pause()
    const withdrawn = watchWithdrawal(handle, event.interactionId)
    if (event.type === 'approval_request') await approve(event, withdrawn)
    else await reply(event, withdrawn)
  }
}

/** Aborts when the agent takes its question back, or the run ends. */
function watchWithdrawal(handle: RunHandle, id: string): AbortSignal {
  const controller = new AbortController()
  handle.on('approval_denied', ({ interactionId }) => {
    if (interactionId === id) controller.abort()
  })
  void handle.finally(() => controller.abort()).catch(() => undefined)
  return controller.signal
}

/** Asks until the answer can be read. */
export async function askFor<Answer>(
  ask: Ask,
  question: string,
  signal: AbortSignal,
  read: (line: string) => Answer | null,
): Promise<Answer | null> {
  while (!signal.aborted) {
    const line = await ask(question, signal)
    if (line === null) return null
    const answer = read(line.trim())
    if (answer !== null) return answer
  }
  return null
}

function readDecision(line: string, showAll: (() => void) | null): 'yes' | 'no' | 'always' | null {
  const word = line.toLowerCase()
  if (word === '') return null
  if (showAll !== null && 'view'.startsWith(word)) showAll()
  return (['yes', 'no', 'always'] as const).find((choice) => choice.startsWith(word)) ?? null
}

export function readOption(line: string, options: readonly string[]): string | null {
  if (line === '') return null
  return (/^\d+$/.test(line) ? options[Number(line) - 1] : undefined) ?? line
}
