import type { AgentEvent } from '../contract/events.ts'
import type { SecretPiece } from './mask-pieces.ts'
import type { Redact } from './native-log.ts'

/** From where on a text may be the beginning of a secret that the next piece completes; its length when it is not. */
export type WaitFrom = (text: string) => number

/** Nothing is held back for longer than this: no secret is so long. */
const MAX_HELD = 8192
/** What was written last is looked at, too: a secret is known by what stands before it. */
const CONTEXT = 64

type DeltaEvent = Extract<AgentEvent, { delta: string }>

function isDelta(event: AgentEvent): event is DeltaEvent {
  return 'delta' in event && typeof event.delta === 'string'
}

function streamOf(event: DeltaEvent): string {
  return `${event.type} ${'toolCallId' in event ? event.toolCallId : ''}`
}

/** One event to be written. */
export interface GuardedEvent {
  event: AgentEvent
  frame: number
  /** So many characters of its text wait for the next piece. */
  held: number
  /** It is none of the run's own: it brings what was held back when no next piece came. */
  isAdded: boolean
  /** Of secrets that are taken out here and came in pieces. */
  pieces: SecretPiece[]
}

export interface DeltaRules {
  redact: Redact
  /** Puts as long a text in place of each secret. */
  mask: Redact
  waitFrom: WaitFrom
}

/** One delta of which something is held back or is being written. `at`: where it begins in the held text. */
interface Piece {
  frame: number
  text: string
  at: number
}

/**
 * Secrets come in pieces: what could be the beginning of one is held back until the next piece of the same stream
 * tells, or something else comes. No text is lost, and none changes its place.
 */
export class DeltaGuard {
  readonly #redact: Redact
  readonly #mask: Redact
  readonly #waitFrom: WaitFrom
  #held = ''
  #pieces: Piece[] = []
  /** The end of what was written of this stream. */
  #context = ''
  /** The last piece, its place and the end of the text that it belongs to. */
  #last: { event: DeltaEvent; frame: number; tail: string } | null = null

  constructor({ redact, mask, waitFrom }: DeltaRules) {
    this.#redact = redact
    this.#mask = mask
    this.#waitFrom = waitFrom
  }

  /** What is to be written in place of this event. */
  pass(event: AgentEvent, frame: number): GuardedEvent[] {
    const isNext = isDelta(event) && this.#last !== null && streamOf(event) === streamOf(this.#last.event)
    const released = isNext ? [] : this.release()
    if (!isDelta(event)) {
      this.#last = null
      return [...released, { event, frame, held: 0, isAdded: false, pieces: [] }]
    }
    if (!isNext) this.#context = ''
    this.#pieces.push({ frame, text: event.delta, at: this.#held.length })
    const text = this.#held + event.delta
    const wait = Math.max(0, this.#waitFrom(this.#context + text) - this.#context.length)
    const cut = text.length - wait > MAX_HELD ? text.length : wait
    this.#held = text.slice(cut)
    this.#last = { event, frame, tail: '' }
    const { delta, pieces } = this.#write(text.slice(0, cut))
    return [...released, { event: { ...event, delta }, frame, held: this.#held.length, isAdded: false, pieces }]
  }

  /** Nothing more comes of this stream. */
  release(): GuardedEvent[] {
    if (this.#held === '' || this.#last === null) return []
    const { event, frame } = this.#last
    const { delta, pieces } = this.#write(this.#held)
    this.#held = ''
    return [{ event: { ...event, delta }, frame, held: 0, isAdded: true, pieces }]
  }

  #write(text: string): { delta: string; pieces: SecretPiece[] } {
    const whole = this.#redact(this.#context + text)
    // What was written stays as it is, whatever is thought of it now.
    const safe = whole.startsWith(this.#context) ? whole.slice(this.#context.length) : this.#redact(text)
    const pieces = safe === text ? [] : this.#maskPieces(text)
    this.#pieces = this.#pieces.flatMap(({ at, ...piece }) =>
      at + piece.text.length > text.length ? [{ ...piece, at: at - text.length }] : [],
    )
    this.#context = (this.#context + safe).slice(-CONTEXT)
    return { delta: safe, pieces }
  }

  /** Masks what this text is made of, and tells what has changed by it. */
  #maskPieces(text: string): SecretPiece[] {
    const masked = this.#mask(this.#context + text).slice(this.#context.length)
    const changed: SecretPiece[] = []
    for (const piece of this.#pieces) {
      const { frame, text: is, at } = piece
      const done = is.slice(0, Math.max(0, -at)) + masked.slice(Math.max(0, at), at + is.length)
      piece.text = done + is.slice(done.length) // its end may still be held
      if (piece.text !== is) changed.push({ frame, is, becomes: piece.text })
    }
    return changed
  }

  /** An event that was written by an earlier process, in its order. */
  skip(event: AgentEvent, frame: number): void {
    if (!isDelta(event)) {
      this.#last = null
      this.#pieces = []
      return
    }
    const isNext = this.#last !== null && streamOf(this.#last.event) === streamOf(event)
    const before = (isNext && this.#last?.tail) || ''
    this.#last = { event, frame, tail: (before + event.delta).slice(-MAX_HELD) }
    if (!isNext) this.#pieces = []
    this.#pieces.push({ frame, text: event.delta, at: 0 })
    // No more can be held than one character of each; not cut every time, since there may be very many.
    if (this.#pieces.length > 2 * MAX_HELD) this.#pieces = this.#pieces.slice(-MAX_HELD)
  }

  /** That process had held back so many characters of the last one that was skipped. */
  resume(held: number): void {
    const tail = this.#last?.tail ?? ''
    this.#held = tail.slice(tail.length - held)
    let end = held
    for (const piece of this.#pieces.toReversed()) {
      piece.at = end - piece.text.length
      end = piece.at
    }
    this.#pieces = this.#pieces.filter(({ at, text }) => at + text.length > 0)
    this.#context = this.#redact(tail.slice(0, tail.length - held)).slice(-CONTEXT)
  }
}
