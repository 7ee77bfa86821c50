import type { AgentEvent, ApprovalRequestEvent, InputRequiredEvent } from '../../contract/events.ts'
import type { RunHandle } from '../../contract/run-handle.ts'
import type { Paint } from '../output.ts'
import { oneLine } from '../text.ts'

/** Asks one question; null when nobody is there to answer any more. */
export type Ask = (question: string, signal: AbortSignal) => Promise<string | null>

/** Answers what the agent asks. Called for each event in order, so a question comes after what led to it. */
export type Answerer = (event: AgentEvent) => Promise<void> | void

const NOBODY = 'Nobody is there to answer: the run has no terminal.'

/** Tells the agent that questions are welcome; whoever answers them looks for them among what is pending. */
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
    say(`${paint('yellow', '?')} ${paint('bold', tool)} wants to run${risk}: ${oneLine(event.detail)}`)
    const answer = await askFor(ask, '  [y]es, [n]o or [a]lways? ', signal, readDecision)
    if (signal.aborted || !isPending(handle, event.interactionId)) return
    if (answer === 'always') allowed.add(tool)
    const response = answer === 'no' || answer === null ? ({ type: 'deny' } as const) : ({ type: 'approve' } as const)
    handle.interaction.respond(event.interactionId, response)
  }

  const reply = async (event: InputRequiredEvent, signal: AbortSignal) => {
    const { question, context, options = [], interactionId } = event
    say(`${paint('yellow', '?')} ${paint('bold', oneLine(question))}`)
    if (context) for (const line of context.split('\n')) say(paint('dim', `    ${oneLine(line)}`))
    for (const [index, option] of options.entries()) say(`  ${index + 1}. ${oneLine(option)}`)
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
async function askFor<Answer>(
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

function readDecision(line: string): 'yes' | 'no' | 'always' | null {
  const word = line.toLowerCase()
  if (word === '') return null
  return (['yes', 'no', 'always'] as const).find((choice) => choice.startsWith(word)) ?? null
}

function readOption(line: string, options: readonly string[]): string | null {
  if (line === '') return null
  return (/^\d+$/.test(line) ? options[Number(line) - 1] : undefined) ?? line
}
