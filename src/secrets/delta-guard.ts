import type { AgentEvent } from '../contract/events.ts'
import { REDACTED, type Redact } from './redact.ts'
import { cutBefore, type Find, replaceSpans, type Span } from './spans.ts'
import type { WaitFrom } from './wait.ts'

/** Nothing is held back for longer than this: no secret is so long. */
const MAX_HELD = 8192
/** What was written last is looked at, too: a secret is recognised by what comes before it. */
const CONTEXT = 256
/** When so much waits, as of base64, the next look comes after so much more: each one goes through all that waits. */
const LONG = 512
const STEP = 256

type DeltaEvent = Extract<AgentEvent, { delta: string }>

function isDelta(event: AgentEvent): event is DeltaEvent {
  return 'delta' in event && typeof event.delta === 'string'
}

function streamOf(event: DeltaEvent): string {
  return `${event.type} ${'toolCallId' in event ? event.toolCallId : ''}`
}

/** A text of one frame of the native log that holds a piece of a secret, and its replacement of the same length. */
export interface SecretPiece {
  frame: number
  is: string
  becomes: string
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
  find: Find
  /** As long a text in place of a secret. */
  maskOf: Redact
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
 * decides, or something else comes. No text is lost, and none changes its place.
 */
export class DeltaGuard {
  readonly #rules: DeltaRules
  #held = ''
  /** So much of it came after the last look. */
  #unseen = 0
  #pieces: Piece[] = []
  /** The end of what was written of this stream. */
  #context = ''
  /** The last piece, its place and the end of the text that it belongs to. */
  #last: { event: DeltaEvent; frame: number; tail: string } | null = null

  constructor(rules: DeltaRules) {
    this.#rules = rules
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
    const cut = this.#canWait(event.delta) ? 0 : this.#cut(text)
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
    this.#unseen = 0
    return [{ event: { ...event, delta }, frame, held: 0, isAdded: true, pieces }]
  }

  /** Whether a piece goes on with a long word, so that it need not be looked at yet. */
  #canWait(delta: string): boolean {
    const unseen = this.#unseen + delta.length
    const canWait = this.#held.length >= LONG && unseen < STEP && !/[ \t]/.test(delta)
    this.#unseen = canWait ? unseen : 0
    return canWait
  }

  /** Where what waits begins. A secret that is whole is not parted, though its end may begin another. */
  #cut(text: string): number {
    const known = this.#context + text
    const wait = this.#rules.waitFrom(known)
    if (wait === known.length) return text.length
    const cut = Math.max(0, cutBefore(this.#rules.find(known), wait) - this.#context.length)
    return text.length - cut > MAX_HELD ? text.length : cut
  }

  #write(text: string): { delta: string; pieces: SecretPiece[] } {
    if (text === '') return { delta: '', pieces: [] }
    const spans = this.#spansIn(text)
    const safe = spans.length === 0 ? text : replaceSpans(text, spans, () => REDACTED)
    const pieces = spans.length === 0 ? [] : this.#maskPieces(replaceSpans(text, spans, this.#rules.maskOf))
    this.#pieces = this.#pieces.flatMap(({ at, ...piece }) =>
      at + piece.text.length > text.length ? [{ ...piece, at: at - text.length }] : [],
    )
    this.#context = (this.#context + safe).slice(-CONTEXT)
    return { delta: safe, pieces }
  }

  /** The secrets in this text. What was written before it stays as it is, whatever is thought of it now. */
  #spansIn(text: string): Span[] {
    const before = this.#context.length
    return this.#rules
      .find(this.#context + text)
      .filter(({ end }) => end > before)
      .map(({ start, end }) => ({ start: Math.max(0, start - before), end: end - before }))
  }

  /** What changes by the masks in what this text is made of. */
  #maskPieces(masked: string): SecretPiece[] {
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
    const written = tail.slice(0, tail.length - held)
    this.#context = replaceSpans(written, this.#rules.find(written), () => REDACTED).slice(-CONTEXT)
  }
}
