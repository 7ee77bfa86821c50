import type { ManagedSession } from '../client/index.ts'
import { isAgentMuxError } from '../contract/errors.ts'
import { HELPER_TEXT } from '../scripted/answer.ts'
import { type Bench, must } from './check.ts'
import { ManagedBench } from './managed-bench.ts'

/** On these everything is tried; of the others `managed` proves that a conversation comes back. */
export const THOROUGH: ReadonlySet<string> = new Set(['claude', 'codex', 'opencode', 'pi'])

/** Hands over a daemon whose changes are followed; the bench ends it. */
export async function withDaemon(bench: Bench, use: (managed: ManagedBench) => Promise<void>): Promise<void> {
  const managed = await ManagedBench.open(bench)
  try {
    await use(managed)
  } finally {
    await managed.hangUp()
  }
}

/** The agent's own title, which it asks the model for, or else the first prompt; and it says which of them it is. */
export function mustHaveTitle({ title, summaryIsFallback }: Pick<ManagedSession, 'title' | 'summaryIsFallback'>): void {
  must(title === (summaryIsFallback ? 'first words' : HELPER_TEXT), `the title is ${title}`)
}

export async function mustBeGone(bench: Bench, managed: ManagedBench, id: string): Promise<void> {
  const left = (await Promise.all(managed.runIds(id).map((runId) => bench.processesLeft(runId)))).flat()
  must(left.length === 0, `processes left: ${left.join(', ')}`)
}

/** What a turn comes to: it waits for the next one, or ends where the agent takes one turn a process. */
export function isDone({ capabilities }: Bench, { activity, isLive }: ManagedSession): boolean {
  return capabilities.supportsMultiTurn ? activity.state === 'idle' : !isLive
}

/** The answer is there and the turn is over. */
export function untilSaid(bench: Bench, managed: ManagedBench, id: string, answer: string): Promise<ManagedSession> {
  return managed.until(
    id,
    `done with "${answer}"`,
    (session) => isDone(bench, session) && (session.summary?.includes(answer) ?? false),
  )
}

/** All of it in one request to the model. */
export function mustHaveAsked(bench: Bench, ...words: string[]): void {
  const isWhole = bench.sent().some((request) => words.every((one) => request.includes(one)))
  must(isWhole, `no request holds ${words.map((one) => `"${one}"`).join(' and ')}`)
}

/** The error that a request to the daemon was refused with. */
export async function refusalOf(request: Promise<unknown>): Promise<{ code: string; message: string }> {
  const refused = await request.then(
    () => null,
    (error: unknown) => error,
  )
  must(isAgentMuxError(refused), `it was not refused, but ${refused === null ? 'done' : String(refused)}`)
  return refused
}
