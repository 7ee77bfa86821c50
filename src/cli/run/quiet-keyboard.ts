import { signalProcess } from '../../process/signal.ts'
import type { Ask } from './interactions.ts'

/** What the keys would do that a terminal turns into signals. */
const SIGNAL_KEYS: Readonly<Record<string, 'interrupt' | NodeJS.Signals>> = {
  '\u0003': 'interrupt',
  '\u001a': 'SIGTSTP',
  '\u001c': 'SIGQUIT',
}

export interface Keyboard {
  readonly isTTY?: boolean
  setRawMode(raw: boolean): unknown
  on(event: 'data', listener: (chunk: Buffer) => void): unknown
  off(event: 'data', listener: (chunk: Buffer) => void): unknown
  resume(): unknown
  pause(): unknown
}

export interface QuietKeyboard {
  /** The same, with the keyboard as it was for as long as it asks. */
  whileAsking(ask: Ask): Ask
  stop(): void
}

/**
 * Keeps what is typed while an agent works off the screen: the terminal would write it into the line that we draw. Keys
 * that mean a signal still do.
 */
export function quietKeyboard(keyboard: Keyboard, onInterrupt: () => void): QuietKeyboard {
  const signal = (name: NodeJS.Signals) => {
    release()
    process.once('SIGCONT', hold)
    signalProcess(process.pid, name)
  }
  const press = (chunk: Buffer) => {
    for (const key of chunk.toString('latin1')) {
      const meaning = SIGNAL_KEYS[key]
      if (meaning === 'interrupt') onInterrupt()
      else if (meaning !== undefined) signal(meaning)
    }
  }
  let isHeld = false
  let hasStopped = false
  const hold = () => {
    if (isHeld || hasStopped) return
    isHeld = true
    keyboard.setRawMode(true)
    keyboard.on('data', press)
    keyboard.resume()
  }
  const release = () => {
    if (!isHeld) return
    isHeld = false
    keyboard.off('data', press)
    keyboard.setRawMode(false)
    keyboard.pause()
  }
  hold()
  return {
    whileAsking: (ask) => async (question, withdrawn) => {
      release()
      return ask(question, withdrawn).finally(hold)
    },
    stop() {
      hasStopped = true
      process.off('SIGCONT', hold)
      release()
    },
  }
}
