import { setTimeout as sleep } from 'node:timers/promises'
import { AgentMuxError } from '../contract/errors.ts'
import type { TerminalKeys } from '../contract/terminal.ts'
import type { Screen } from './screen.ts'
import { holdsText, inputText } from './screen-input.ts'

const POLL_MS = 50
/** An agent that has just been started takes its time to show where one can type. */
const READY_MS = 30_000
const TYPED_MS = 5000
const TAKEN_MS = 3000
const TRIES = 3

export interface TerminalTyping {
  screen: Screen
  keys: TerminalKeys
  /** How a text looks there: secrets are masked. */
  shown(text: string): string
  /** Whether a dialog is open: a key would answer it. */
  isBlocked(): Promise<boolean>
  write(text: string): void
}

/**
 * Types a message into the agent's own screen and sends it. Where it is known in which place the agent takes input, the
 * message has to be there before the key that sends it, and gone after it: else this rejects.
 */
export async function submit(text: string, typing: TerminalTyping): Promise<void> {
  const { keys, write } = typing
  // Without control characters, so that nothing in the text can end the paste or press a key.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
  const safe = text.replace(/\r\n?/g, '\n').replace(/[\x00-\x08\x0b-\x1f\x7f\x9b]/g, '')
  const isBlind = keys.inputMark === undefined && keys.inputFrame === undefined
  if (!isBlind && !(await until(async () => (await input(typing)) !== null, READY_MS))) {
    throw new AgentMuxError('TIMEOUT', 'The agent shows no place to type into', { hint: LOOK })
  }
  const isTyped = async () => {
    const there = (await input(typing)) ?? ''
    return holdsText(there, safe) || holdsText(there, typing.shown(safe))
  }
  if (!(await type(safe, typing, async () => isBlind || until(isTyped, TYPED_MS)))) {
    throw new AgentMuxError('TIMEOUT', 'The agent does not show what was typed', { hint: LOOK })
  }
  // What was sent may be above with the same mark, and hide that it was taken; a dialog that comes up shows it.
  const isTaken = async () => !(await isTyped()) || (await typing.isBlocked())
  for (let tries = 0; tries < TRIES; tries++) {
    if (await typing.isBlocked()) {
      if (tries > 0) return
      throw new AgentMuxError('INVALID_STATE_TRANSITION', 'A dialog has come up before the message was sent', {
        recoverable: true,
        hint: LOOK,
      })
    }
    write(keys.submit)
    if (await until(isTaken, TAKEN_MS)) return
  }
  throw new AgentMuxError('TIMEOUT', 'The message was typed into the terminal, but the agent has not taken it', {
    hint: LOOK,
  })
}

/**
 * An agent that is just starting, or busy, may not take it at once. Where it can be taken away again, it is typed
 * again.
 */
async function type(text: string, { screen, keys, write }: TerminalTyping, isTyped: () => Promise<boolean>) {
  for (let tries = 0; tries < (keys.clear === undefined ? 1 : TRIES); tries++) {
    // What somebody has begun to write there, or what an interrupt has put back, is not a part of this message.
    if (keys.clear !== undefined) write(keys.clear)
    write(screen.takesPastes ? `\x1b[200~${text}\x1b[201~` : text.replaceAll('\n', ' '))
    if (await isTyped()) return true
  }
  return false
}

const LOOK = 'Attach to the session and look at its screen.'

async function input({ screen, keys }: TerminalTyping): Promise<string | null> {
  const { lines } = await screen.settled(() => screen.text())
  return inputText(lines, keys)
}

async function until(condition: () => Promise<boolean>, patienceMs: number): Promise<boolean> {
  const deadline = Date.now() + patienceMs
  while (!(await condition())) {
    if (Date.now() > deadline) return false
    await sleep(POLL_MS)
  }
  return true
}
