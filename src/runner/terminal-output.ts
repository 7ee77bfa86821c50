import type { PtyProcess } from '../process/place.ts'
import type { TerminalGuard } from '../secrets/terminal-guard.ts'
import type { Screen } from './screen.ts'
import type { TerminalLog } from './terminal-log.ts'
import type { Viewers } from './viewers.ts'

/** Longer than the pieces of one write are apart, shorter than anybody waits for what was typed. */
const HOLD_MS = 150
/** A terminal is read in pieces of 4 kB. In a flood they are taken together: to look for secrets costs less that way. */
const FLOOD_MS = 5
const FLOOD_LENGTH = 65_536

export interface OutputSinks {
  log: TerminalLog
  screen: Screen
  viewers: Viewers
  onChange: () => void
}

/**
 * What a program writes to its terminal, without its secrets: the log, the screen and the viewers get the same. What
 * may be the beginning of a secret waits for a moment; the program waits when its screen cannot follow.
 */
export class TerminalOutput {
  readonly #pty: PtyProcess
  readonly #guard: TerminalGuard
  readonly #sinks: OutputSinks
  #timer: NodeJS.Timeout | undefined
  #pieces = ''
  #takenAt = 0
  #flood: NodeJS.Timeout | undefined

  constructor(pty: PtyProcess, guard: TerminalGuard, sinks: OutputSinks) {
    this.#pty = pty
    this.#guard = guard
    this.#sinks = sinks
    pty.onData((text) => this.#collect(text))
  }

  /** All that has come is shown. */
  close(): void {
    this.#take()
    clearTimeout(this.#timer)
    this.#show(this.#guard.release())
  }

  /** A piece that comes alone is taken at once. */
  #collect(text: string): void {
    this.#pieces += text
    const isFlood = performance.now() - this.#takenAt < FLOOD_MS && this.#pieces.length < FLOOD_LENGTH
    if (!isFlood) this.#take()
    else this.#flood ??= setTimeout(() => this.#take(), FLOOD_MS)
  }

  #take(): void {
    clearTimeout(this.#flood)
    clearTimeout(this.#timer)
    this.#flood = undefined
    const text = this.#pieces
    this.#pieces = ''
    this.#takenAt = performance.now()
    this.#show(this.#guard.take(text))
    if (this.#guard.isHolding) this.#timer = setTimeout(() => this.#show(this.#guard.release()), HOLD_MS)
  }

  #show(text: string): void {
    if (text === '') return
    const { log, screen, viewers, onChange } = this.#sinks
    log.append(text)
    if (!screen.write(text, () => this.#pty.resume())) this.#pty.pause()
    viewers.show(text)
    onChange()
  }
}
