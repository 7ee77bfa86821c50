import { setTimeout as sleep } from 'node:timers/promises'
import { AgentMuxError } from '../contract/errors.ts'
import type { TerminalKeys } from '../contract/terminal.ts'
import type { Screen } from './screen.ts'

const POLL_MS = 50
const PATIENCE_MS = 3000
const NEEDLE_CHARACTERS = 24

export interface TerminalTyping {
  screen: Screen
  keys: TerminalKeys
  write(text: string): void
}

/**
 * Types a message into the agent's own screen and sends it. Where the screen shows what is typed, it has to be there
 * before the key that sends it, and gone after it: else this rejects.
 */
export async function submit(text: string, { screen, keys, write }: TerminalTyping): Promise<void> {
  // Without control characters, so that nothing in the text can end the paste or press a key.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
  const safe = text.replace(/\r\n?/g, '\n').replace(/[\x00-\x08\x0b-\x1f\x7f\x9b]/g, '')
  write(screen.takesPastes ? `\x1b[200~${safe}\x1b[201~` : safe.replaceAll('\n', ' '))
  const needle = (safe.trimStart().split('\n')[0] ?? '').slice(0, NEEDLE_CHARACTERS).trimEnd()
  const isTyped = () => shows(screen, keys.inputMark, needle)
  await until(isTyped)
  for (let tries = 0; tries < 2; tries++) {
    write(keys.submit)
    if (await until(async () => !(await isTyped()))) return
  }
  throw new AgentMuxError('TIMEOUT', 'The message was typed into the terminal, but the agent has not taken it', {
    hint: 'Attach to the session and look at its screen.',
  })
}

/** Whether the text stands in the line where the agent takes input, or the agent says that something was pasted there. */
async function shows(screen: Screen, mark: string | undefined, needle: string): Promise<boolean> {
  if (mark === undefined) return false
  const { lines } = await screen.settled(() => screen.text())
  const line = lines.findLast((one) =>
    one
      .trimStart()
      .replace(/^[│|] */, '')
      .startsWith(mark),
  )
  return line !== undefined && (line.includes(needle) || /\[Pasted /i.test(line))
}

async function until(condition: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + PATIENCE_MS
  while (!(await condition())) {
    if (Date.now() > deadline) return false
    await sleep(POLL_MS)
  }
  return true
}
