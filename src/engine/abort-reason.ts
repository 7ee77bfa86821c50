import type { TurnFailure } from '../contract/dialogue.ts'

const LONGEST = 300

/** The reason that somebody chose: without one, an `AbortController` makes an `AbortError` of its own. */
export function givenReason(signal: AbortSignal | undefined): unknown {
  const reason: unknown = signal?.reason
  return reason instanceof Error && reason.name === 'AbortError' ? undefined : reason
}

export function abortFailure(reason: unknown): TurnFailure {
  const words = (reason instanceof Error ? reason.message : String(reason)).trim().slice(0, LONGEST)
  const evidence = words === '' ? 'aborted by the caller' : `aborted by the caller: ${words}`
  return { event: { type: 'aborted' }, outcome: { kind: 'cancelled', evidence } }
}
