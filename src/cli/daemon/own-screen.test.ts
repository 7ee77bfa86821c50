import xterm from '@xterm/headless'
import { expect, test } from 'vitest'
import { detachPattern } from './detach-key.ts'
import { CLEAR_SCREEN, ENTER_SCREEN, LEAVE_SCREEN, ScreenFilter } from './own-screen.ts'

const SHELL = Array.from({ length: 40 }, (_, i) => `line ${i} of the shell`).join('\r\n')
/** What an agent's screen may do to a terminal, good or bad. */
const AGENT = [
  '\x1b[?1049h\x1b[2J\x1b[Hits screen\x1b[?1049l',
  '\x1b[3J\x1bc\x1b[!p',
  '\x1b[?1;1000;1003;1006;1004;2004h\x1b[?47h\x1b[>1u\x1b[>4;2m\x1b[?25l\x1b[?7l\x1b[5;9r\x1b[4h\x1b=',
  '\x1b[?1047;2004h\x1b[31mred\x1b]0;title\x07\x1b[4 q\x1b(0lqk',
].join('')

function write(terminal: InstanceType<typeof xterm.Terminal>, text: string): Promise<void> {
  return new Promise((resolve) => terminal.write(text, resolve))
}

function contentOf(terminal: InstanceType<typeof xterm.Terminal>): string[] {
  const { active } = terminal.buffer
  return Array.from({ length: active.length }, (_, y) => active.getLine(y)?.translateToString(true) ?? '')
}

test.each([1, 3, 1000])('the terminal is as it was, whatever an agent does to it, in pieces of %d', async (size) => {
  const terminal = new xterm.Terminal({ cols: 60, rows: 12, allowProposedApi: true })
  await write(terminal, SHELL)
  const [before, modes] = [contentOf(terminal), { ...terminal.modes }]
  const filter = new ScreenFilter()
  await write(terminal, ENTER_SCREEN + CLEAR_SCREEN)
  expect(terminal.buffer.active.type).toBe('alternate')
  for (let at = 0; at < AGENT.length; at += size) await write(terminal, filter.push(AGENT.slice(at, at + size)))
  expect(terminal.buffer.active.type).toBe('alternate')
  await write(terminal, LEAVE_SCREEN)
  expect(terminal.buffer.active.type).toBe('normal')
  expect(contentOf(terminal)).toEqual(before)
  expect({ ...terminal.modes }).toEqual(modes)
  await write(terminal, '\r\nlq')
  expect(contentOf(terminal).at(-1)).toBe('lq')
})

test('an agent draws what it likes on the screen that it was given', async () => {
  const text = '\x1b[2J\x1b[H\x1b[?25l\x1b[31mhello\x1b[0m\x1b[2K\x1b]8;;https://example.com\x07link\x1b]8;;\x07'
  expect(new ScreenFilter().push(text)).toBe(text)
})

test.each([
  ['\\', '\x1c'],
  ['\\', '\x1b[92;5u'],
  ['\\', '\x1b[92;69u'],
  ['\\', '\x1b[92:124;5:1u'],
  ['\\', '\x1b[27;5;92~'],
  ['a', '\x01'],
  ['A', '\x1b[97;5u'],
])('Ctrl-%s is known as %j', (key, sent) => {
  expect(`before${sent}`.search(detachPattern(key))).toBe('before'.length)
})

test.each(['\x1b[92;5:3u', '\x1b[92;6u', '\x1b[92u', '\\', '\x1b[192;5u'])('%j is another key', (sent) => {
  expect(sent.search(detachPattern('\\'))).toBe(-1)
})

test.each(['', 'ab', '1', 'ü'])('%j cannot be the detach key', (key) => {
  expect(() => detachPattern(key)).toThrow('--detach-key')
})
