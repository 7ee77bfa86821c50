import type { Terminal } from '@xterm/headless'
import type { ScreenText, TerminalSize, TerminalSnapshot } from '../contract/launch.ts'
import { packageMissing } from '../process/pty.ts'
import { snapshot } from './screen-snapshot.ts'

const SCROLLBACK_LINES = 1000
/** How much may wait to be shown before the program has to wait, and when it may go on. */
const FULL_CHARACTERS = 2 ** 20
const ROOM_CHARACTERS = 2 ** 18

/** What a terminal shows, kept without one. Also answers what the program asks its terminal. */
export class Screen {
  readonly #terminal: Terminal
  #waiting = 0
  #isFull = false

  /** Rejects with PTY_NOT_AVAILABLE where the optional package is missing. */
  static async open(size: TerminalSize, onAnswer: (text: string) => void): Promise<Screen> {
    const Terminal = await loadTerminal()
    const terminal = new Terminal({ ...size, scrollback: SCROLLBACK_LINES, allowProposedApi: true })
    terminal.onData(onAnswer)
    return new Screen(terminal)
  }

  private constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  get size(): TerminalSize {
    return { cols: this.#terminal.cols, rows: this.#terminal.rows }
  }

  /** Whether the program can distinguish a paste from typing. */
  get takesPastes(): boolean {
    return this.#terminal.modes.bracketedPasteMode
  }

  /** False: no more of it, please, until `onRoom`. */
  write(text: string, onRoom: () => void = () => {}): boolean {
    this.#waiting += text.length
    this.#terminal.write(text, () => {
      this.#waiting -= text.length
      if (!this.#isFull || this.#waiting > ROOM_CHARACTERS) return
      this.#isFull = false
      onRoom()
    })
    this.#isFull ||= this.#waiting > FULL_CHARACTERS
    return !this.#isFull
  }

  resize({ cols, rows }: TerminalSize): void {
    this.#terminal.resize(cols, rows)
  }

  /** Calls back in the very moment when all that was written by now is on the screen. */
  settled<T>(look: () => T): Promise<T> {
    return new Promise((resolve) => this.#terminal.write('', () => resolve(look())))
  }

  snapshot(): TerminalSnapshot {
    return { ...this.size, data: snapshot(this.#terminal) }
  }

  text(): ScreenText {
    const { active } = this.#terminal.buffer
    const lines: string[] = []
    for (let y = 0; y < this.#terminal.rows; y++) {
      lines.push(active.getLine(active.baseY + y)?.translateToString(true) ?? '')
    }
    return { lines, cursor: { x: active.cursorX, y: active.cursorY } }
  }
}

async function loadTerminal(): Promise<typeof Terminal> {
  try {
    return (await import('@xterm/headless')).default.Terminal
  } catch (error) {
    throw packageMissing('@xterm/headless', error)
  }
}
