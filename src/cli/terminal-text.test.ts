import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AgentMuxError } from '../contract/errors.ts'
import { Output, type TextStream } from './output.ts'
import { table } from './table.ts'
import { own, terminalText, visible } from './terminal-text.ts'
import { visibleLine } from './text.ts'

const HOSTILE = [
  '\x1b]0;title\x07',
  '\x1b]52;c;aGk=\x07',
  '\x1b[2J\x1b[31m',
  '\x9b31m',
  '\x90q\x9c',
  '\x1bP+q\x1b\\',
  '\r\x1b[K',
  '\b\b\b',
  '\u202egpj.exe',
  '\u2066x\u2069',
  'a\u200bb',
  '\ufeff',
  'rm\u200d -rf',
  '\u{e0041}',
]
// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal obeys
const STEERS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const COLOUR = /\x1b\[\d+m/g

function output(isTTY: boolean, json = false): { out: Output; text: () => string } {
  let text = ''
  const stream: TextStream = {
    isTTY,
    columns: 80,
    write: (one) => {
      text += one
      return true
    },
    once: () => undefined,
  }
  return { out: new Output({ stdout: stream, stderr: stream, env: {}, json, noColor: false }), text: () => text }
}

const foreign = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary' })), { maxLength: 6 })
  .map((parts) => parts.join('x'))

describe('on a terminal', () => {
  test('no foreign text steers it, whichever way it comes', () => {
    fc.assert(
      fc.property(foreign, (text) => {
        const { out, text: written } = output(true)
        const paint = out.paint()
        out.write(paint('red', text))
        out.note(text)
        out.result(null, table([[text, { text, style: 'bold' }]], paint, out.width))
        out.error(new AgentMuxError('CONFIG_ERROR', text, { hint: text }), true)
        expect(written().replace(COLOUR, '')).not.toMatch(STEERS)
      }),
    )
  })

  test('our own colours and controls pass, and no text can pretend to be them', () => {
    const { out, text } = output(true)
    out.write(`${out.paint()('red', 'x\x1b[1m')}${own('\r\x1b[K')}`)
    expect(text()).toBe('\x1b[31mx\\u001b[1m\x1b[39m\r\x1b[K')
  })

  test('JSON stays the same JSON', () => {
    const value = HOSTILE.join('|')
    const { out, text } = output(true, true)
    out.result({ value }, '')
    expect(text()).not.toMatch(STEERS)
    expect(JSON.parse(text()).data.value).toBe(value)
  })

  test('letters, line breaks and joined pictures stay', () => {
    const text = 'Zoë 漢字 שלום\n\tनमस्ते 👩\u200d👧 می\u200cخواهم'
    expect(terminalText(text, true)).toBe(text)
  })
})

describe('in a pipe, behind which there may be a terminal', () => {
  test('nothing steers it', () => {
    fc.assert(
      fc.property(foreign, (text) => {
        const { out, text: written } = output(false)
        out.write(out.paint()('red', text))
        out.note(text)
        out.error(new AgentMuxError('CONFIG_ERROR', text, { hint: text }), true)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal obeys
        expect(written()).not.toMatch(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/)
      }),
    )
  })

  test('all other text stays as it is, and JSON the same JSON', () => {
    const text = 'Zoë 漢字 שלום\r\n\t👩\u200d👧 می\u200cخواهم\u200f\u00ad\ufeff'
    expect(terminalText(text, false)).toBe(text)
    const value = HOSTILE.join('|')
    const { out, text: written } = output(false, true)
    out.result({ value }, '')
    expect(JSON.parse(written()).data.value).toBe(value)
  })
})

test('what somebody is asked to allow shows what is hidden in it', () => {
  expect(visibleLine('rm \u202efr-\u202c x\u200b\x1b[8m\n  y')).toBe('rm \\u202efr-\\u202c x\\u200b\\u001b[8m y')
  expect(visible('a\u200d b')).toBe('a\\u200d b')
})

test('a hint that takes several lines keeps its indent', () => {
  const { out, text } = output(true)
  out.error(new AgentMuxError('CONFIG_ERROR', 'No', { hint: 'many words '.repeat(20).trim() }), false)
  const [, ...hint] = text().trimEnd().split('\n')
  expect(hint.length).toBeGreaterThan(1)
  for (const line of hint) expect(line).toMatch(/^ {6}\S/)
})

test('no command writes past the one way out', () => {
  const root = import.meta.dirname
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.test)\.ts$/.test(file))
  const direct = files.filter((file) =>
    /process\.std(?:out|err)\.write|console\.\w+\(/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(direct).toEqual([])
})
