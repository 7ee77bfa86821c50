import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../contract/events.ts'
import { createDeltaGuard, createRedactor, createTerminalGuard } from './redaction.ts'

// Each way in which programs show a text that is not its own characters in a row.

const CORE = 'qZ7eYpf81LmXw29RtVbN'
const VALUE = 'hK4-known-value-93'
const ENV = { PGPASSWORD: VALUE }
const SECRETS = [
  { text: `ghp_${CORE}${CORE.slice(0, 16)}`, core: CORE },
  { text: `DATABASE_PASSWORD=${CORE}`, core: CORE },
  { text: `postgres://app:${CORE}@db.example.com/main`, core: CORE },
  { text: VALUE, core: VALUE },
]

const hex = (text: string) => Buffer.from(text).toString('hex')
const bytes = (text: string) => hex(text).match(/../g) ?? []
const parts = (text: string, length: number) => text.match(new RegExp(`.{1,${length}}`, 'g')) ?? []
const codes = (text: string, shown: (code: number) => string) =>
  [...text].map((one) => shown(one.charCodeAt(0))).join('')

/** As `xxd` and `hexdump -C` print it. */
function dump(text: string, group: RegExp, around: [string, string]): string {
  return parts(text, 16)
    .map((row, i) => {
      const shown = (hex(row).match(group) ?? []).join(' ').padEnd(group.source === '.{1,4}' ? 40 : 48)
      return `${(16 * i).toString(16).padStart(8, '0')}${around[0]}${shown}${around[1]}${row}`
    })
    .join('\n')
}

const READINGS: Record<string, (text: string) => string> = {
  'hexadecimal with blanks': (text) => bytes(text).join(' '),
  'hexadecimal with colons': (text) => bytes(text).join(':'),
  'an array in hexadecimal': (text) =>
    `{ ${bytes(text)
      .map((one) => `0x${one}`)
      .join(', ')} }`,
  'a buffer in JSON': (text) => JSON.stringify(Buffer.from(text)),
  'a buffer in JSON, in lines': (text) => JSON.stringify(Buffer.from(text), null, 2),
  xxd: (text) => dump(text, /.{1,4}/g, [': ', ' ']),
  'hexdump -C': (text) => dump(text, /../g, ['  ', '  |']),
  'decimal entities': (text) => codes(text, (code) => `&#${code};`),
  'hexadecimal entities': (text) => codes(text, (code) => `&#x${code.toString(16)};`),
  'escapes in braces': (text) => codes(text, (code) => `\\u{${code.toString(16)}}`),
  'octal escapes': (text) => codes(text, (code) => `\\${code.toString(8).padStart(3, '0')}`),
  'zeros between': (text) => [...text].join('\0'),
  'joined with +': (text) =>
    parts(text, 9)
      .map((one) => `"${one}"`)
      .join(' + '),
  'joined with + over lines': (text) =>
    parts(text, 9)
      .map((one) => `'${one}'`)
      .join(' +\n    '),
  'joined as in PHP': (text) =>
    parts(text, 9)
      .map((one) => `'${one}'`)
      .join(' . '),
  'joined as in Python': (text) =>
    parts(text, 9)
      .map((one) => `"${one}"`)
      .join('\n    '),
  'a line that goes on in a shell': (text) => parts(text, 15).join('\\\n'),
  'a column of 12': (text) => parts(text, 12).join('\n'),
  'a column of 20': (text) => parts(`it is ${text} there`, 20).join('\n'),
  'a column of 31': (text) => parts(`here it is: ${text} and more`, 31).join('\n'),
  'a column in JSON': (text) => JSON.stringify({ output: parts(text, 20).join('\n') }),
  'a quoted mail': (text) => parts(`it is ${text}`, 22).join('\n').replace(/^/gm, '> '),
}

/** All that somebody could read there. */
function readings(shown: string): string[] {
  const flat = shown.replace(/\\+[nr]|[\s\\\0]/g, '')
  const decoded = shown
    .replace(/&#x([0-9a-f]+);|\\u\{([0-9a-f]+)\}/g, (_, a, b) => String.fromCharCode(Number.parseInt(a ?? b, 16)))
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)))
  const rows = shown.replace(/^.{8}: |^.{8} {2}/gm, '').replace(/ {2}\S*$/gm, '')
  const numbers = [shown, rows].map((text) => Buffer.from(text.replace(/0x|[^0-9a-f]/g, ''), 'hex').toString('latin1'))
  const list = (shown.match(/\d{2,3}/g) ?? []).map((code) => String.fromCharCode(Number(code))).join('')
  return [shown, flat, decoded, flat.replace(/["'][+.]?["']/g, ''), flat.replaceAll('>', ''), ...numbers, list]
}

const isLeak = (shown: string, core: string) =>
  readings(shown).some((one) => one.includes(core.slice(0, 12)) || one.includes(core.slice(-12)))

const redact = createRedactor({ env: ENV }, {})

function inPieces(text: string): string {
  const guard = createDeltaGuard({ env: ENV }, {})
  const base = { runId: 'r', agent: 'a', timestamp: 1, accumulated: '' }
  const events = (text.match(/[\s\S]{1,5}/g) ?? []).flatMap((delta, index) => {
    const event: AgentEvent = { ...base, type: 'text_delta', delta }
    return guard.pass(event, index + 1)
  })
  return [...events, ...guard.release()].map(({ event }) => ('delta' in event ? event.delta : '')).join('')
}

function onTerminal(text: string): string {
  const guard = createTerminalGuard({ env: ENV }, {})
  return (text.match(/[\s\S]{1,7}/g) ?? []).map((piece) => guard.take(piece)).join('') + guard.release()
}

test.each(Object.entries(READINGS))('as %s', (_, show) => {
  for (const { text, core } of SECRETS) {
    const shown = `Look:\n${show(text)}\n`
    expect(isLeak(shown, core), 'the test sees it').toBe(true)
    expect(isLeak(redact(shown), core), redact(shown)).toBe(false)
    expect(isLeak(inPieces(shown), core), inPieces(shown)).toBe(false)
    expect(isLeak(onTerminal(shown), core), onTerminal(shown)).toBe(false)
  }
})

test('a key right after another word', () => {
  for (const head of ['hf_', 'npm_', 'xai-', 'gsk_', 'AIza']) {
    const key = `${head}${CORE}${CORE.slice(0, 15)}`
    expect(redact(`the key${key} is`)).toBe('the key[redacted] is')
  }
})

describe('what is no secret stays', () => {
  test.each([
    ['settings', 'DB_PASSWORD=$SECRET_ONE\nDB_HOST=localhost1\nDB_PORT=5432'],
    ['short lines', 'const token = next9\nreturn token9\nlet key2 = a1'],
    ['bytes of a picture', '89 50 4e 47 0d 0a 1a 0a 00 00 00 0d 49 48 44 52'],
    ['numbers', '[10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120]'],
    ['strings', `"first" + "second" + 'third' + "task-list-of-2024"`],
    ['HTML', '&lt;a href=&quot;x&quot;&gt;password&lt;/a&gt; &#39;token&#39;'],
    ['words with heads of keys', 'ask-Questions2024AboutThings half_AnHour2 task-Runner3 npm_config_registry2'],
    ['a dump', '00000000: 4865 6c6c 6f20 776f 726c 642c 2068 6f77  Hello world, how\n00000010: 2061 7265  are'],
  ])('%s', (_, text) => {
    expect(redact(text)).toBe(text)
    expect(inPieces(text)).toBe(text)
    expect(onTerminal(text)).toBe(text)
  })
})
