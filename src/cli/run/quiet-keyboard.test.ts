import { expect, test } from 'vitest'
import { type Keyboard, quietKeyboard } from './quiet-keyboard.ts'

function fakeKeyboard() {
  const listeners = new Set<(chunk: Buffer) => void>()
  const modes: boolean[] = []
  const keyboard: Keyboard = {
    isTTY: true,
    setRawMode: (raw) => modes.push(raw),
    on: (_event, listener) => listeners.add(listener),
    off: (_event, listener) => listeners.delete(listener),
    resume() {},
    pause() {},
  }
  const type = (text: string) => {
    for (const listener of listeners) listener(Buffer.from(text))
  }
  return { keyboard, modes, type, listeners }
}

test('what is typed is not echoed, and ^C still interrupts', () => {
  const { keyboard, modes, type, listeners } = fakeKeyboard()
  let interrupts = 0
  const quiet = quietKeyboard(keyboard, () => interrupts++)
  type('hello\r')
  type('\u0003')
  expect({ modes, interrupts }).toEqual({ modes: [true], interrupts: 1 })
  quiet.stop()
  expect({ modes, listeners: listeners.size }).toEqual({ modes: [true, false], listeners: 0 })
})

test('a question has the keyboard to itself', async () => {
  const { keyboard, modes, listeners } = fakeKeyboard()
  const quiet = quietKeyboard(keyboard, () => {})
  const ask = quiet.whileAsking(async () => {
    expect({ modes, listeners: listeners.size }).toEqual({ modes: [true, false], listeners: 0 })
    return 'yes'
  })
  expect(await ask('?', new AbortController().signal)).toBe('yes')
  expect(modes).toEqual([true, false, true])
  quiet.stop()
})
