import { createInterface } from 'node:readline/promises'
import type { Ask } from './interactions.ts'

/** Asks on the terminal, which is the user's own again between questions: ^C stays a signal. */
export function terminalQuestions(output: NodeJS.WritableStream, onInterrupt: () => void): Ask {
  return async (question, signal) => {
    const lines = createInterface({ input: process.stdin, output, terminal: true })
    lines.on('SIGINT', onInterrupt)
    try {
      const closed = new Promise<null>((resolve) => lines.once('close', () => resolve(null)))
      return await Promise.race([lines.question(question, { signal }), closed])
    } catch {
      return null // withdrawn
    } finally {
      lines.close()
      process.stdin.pause()
    }
  }
}
