import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../contract/events.ts'
import { FORMS } from './forms.ts'
import { createDeltaGuard, createRedactor, createTerminalGuard } from './redaction.ts'

// Generated from the rows: a form that is added there is tested here in every place, encoding and split.

const seed = Number(process.env.SEED) || Math.floor(Math.random() * 2 ** 31)
let state = seed
function random(below: number): number {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
  return Math.floor((state / 0x80000000) * below)
}

function charactersOf(body: string): string[] {
  const allowed = new RegExp(`[${body}]`)
  return Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).filter(
    (one) => allowed.test(one) && /[A-Za-z0-9]/.test(one),
  )
}

function exampleOf(head: string, { body, min, whole, sample }: (typeof FORMS)[number]): string {
  if (sample) return head + sample
  const characters = charactersOf(body)
  for (;;) {
    const rest = Array.from({ length: Math.max(min, 20) }, () => characters[random(characters.length)]).join('')
    const one = head + (head === 'AKIA' || head === 'ASIA' ? rest.slice(0, 16) : rest)
    if (!whole || whole.test(one)) return one
  }
}

const FORM_EXAMPLES = FORMS.flatMap((form) => form.heads.map((head) => exampleOf(head, form)))
const KNOWN = [
  'Xk7-short',
  'p4ss/w0rd+with=signs',
  'say "friend" & enter',
  'correct-horse-9',
  'zwölf Boxkämpfer 12',
  'line1-of-it\nline2-of-it',
]
const ENV = Object.fromEntries(
  ['CI_TOKEN', 'PGPASSWORD', 'DB_PASS', 'GITHUB_PAT', 'REDISCLI_AUTH', 'MY_CREDENTIALS'].map((name, i) => [
    name,
    KNOWN[i] ?? '',
  ]),
)
const SECRETS = [...FORM_EXAMPLES, ...KNOWN]
/** Letter by letter takes long: of each form the heads take turns. */
const EACH_FORM = [...FORMS.map((form) => exampleOf(form.heads[random(form.heads.length)] ?? '', form)), ...KNOWN]

const redact = createRedactor({ env: ENV }, {})
const wrap = (text: string, width: number) => text.replace(new RegExp(`.{${width}}`, 'g'), '$&\n')
const inside = (secret: string) => `Some text before it, then\n${secret}\nand after it, so that lines are full.`

const PLACES: Record<string, (secret: string) => string> = {
  alone: (secret) => secret,
  'at the start of a line': (secret) => `first line\n${secret}\nlast`,
  'in quotes': (secret) => `say '${secret}' now`,
  'after a sign': (secret) => `key=${secret};`,
  'in parentheses': (secret) => `(${secret})`,
}
const ENCODINGS: Record<string, (text: string) => string> = {
  plain: (text) => text,
  JSON: (text) => JSON.stringify({ text }),
  'JSON in JSON': (text) => JSON.stringify({ text: JSON.stringify({ text }) }),
  'JSON in JSON in JSON': (text) => JSON.stringify([JSON.stringify([JSON.stringify([text])])]),
  'an address': (text) => `https://x.test/?q=${encodeURIComponent(text)}`,
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64 for addresses': (text) => Buffer.from(text).toString('base64url'),
  'base64 of more, 1': (text) => Buffer.from(`a${inside(text)}`).toString('base64'),
  'base64 of more, 2': (text) => Buffer.from(`ab${inside(text)}`).toString('base64'),
  'base64 of more, 3': (text) => Buffer.from(`abc${inside(text)}`).toString('base64'),
  'base64 in lines of 64': (text) => wrap(Buffer.from(inside(text)).toString('base64'), 64),
  'base64 in lines of 76': (text) => JSON.stringify(wrap(Buffer.from(inside(text)).toString('base64'), 76)),
  'hexadecimal, alone': (text) => Buffer.from(text).toString('hex'),
  hexadecimal: (text) => Buffer.from(inside(text)).toString('hex'),
}

/** All that is left of a text, read in every way that there is. */
function readings(text: string): string[] {
  const flat = text.replace(/\\+n|\s/g, '')
  const unescaped = text.replace(/\\+u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
  const plain = unescaped.replace(/\\+n/g, '\n').replace(/\\+/g, '')
  const decoded = text.replace(/%([0-9A-F]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
  const encoded = (flat.match(/[A-Za-z0-9+/_-]{16,}/g) ?? []).flatMap((run) => [
    ...[0, 1, 2, 3].map((shift) => Buffer.from(run.slice(shift), 'base64').toString('latin1')),
    Buffer.from(run, 'hex').toString('latin1'),
  ])
  return [text, flat, plain, decoded, Buffer.from(decoded, 'latin1').toString(), ...encoded]
}

function expectGone(text: string, secret: string): void {
  const left = readings(text).find((one) => one.includes(secret))
  expect(left, `seed ${seed}: ${secret}`).toBeUndefined()
}

describe.each(Object.entries(ENCODINGS))('as %s', (_, encode) => {
  test.each(Object.entries(PLACES))('%s', (_, place) => {
    for (const secret of SECRETS) {
      const text = encode(place(secret))
      const redacted = redact(text)
      expectGone(redacted, secret)
      expect(redacted).toContain('[redacted]')
      if (text.startsWith('{') || text.startsWith('[')) expect(() => JSON.parse(redacted)).not.toThrow()
    }
  })
})

test('in lines of 64 and 76, wherever it begins in the first', () => {
  for (const secret of SECRETS.filter((one) => !/[\s"]/.test(one))) {
    for (const width of [64, 76]) {
      const text = wrap(`${'word '.repeat(1 + random(11))}${secret}`, width)
      expectGone(redact(text), secret)
      expectGone(redact(JSON.stringify({ text })), secret)
    }
  }
})

test('two known values of which one begins as the other ends', () => {
  const [first, second] = ['alpha-42-beta-gamma', 'gamma-delta-77-omega']
  const env = { A_TOKEN: first, B_TOKEN: second }
  const text = `x ${first} y ${first}${second} z`
  for (let size = 1; size < 24; size++) {
    const joined = inPieces(text, () => size, env)
    expect(joined).not.toContain('alpha-42')
    expect(joined).not.toContain('-77-omega')
  }
})

const base = { runId: 'r', agent: 'a', timestamp: 1 }

function inPieces(text: string, size: () => number, env: Record<string, string> = ENV): string {
  const guard = createDeltaGuard({ env }, {})
  let out = ''
  const add = (events: readonly { event: AgentEvent }[]) => {
    for (const { event } of events) out += 'delta' in event ? event.delta : ''
  }
  for (let at = 0, frame = 1; at < text.length; frame++) {
    const length = size()
    const delta = text.slice(at, at + length)
    add(guard.pass({ ...base, type: 'text_delta', delta, accumulated: '' }, frame))
    at += length
  }
  add(guard.release())
  return out
}

test.each(Object.entries(ENCODINGS))('in pieces, as %s', (_, encode) => {
  for (const secret of EACH_FORM) {
    const text = `Look:\n${encode(inside(secret))} and so on`
    expectGone(
      inPieces(text, () => 1 + random(9)),
      secret,
    )
  }
})

test('on a terminal, in pieces', () => {
  for (const secret of SECRETS.filter((one) => !one.includes('\n'))) {
    const guard = createTerminalGuard({ env: ENV }, {})
    const text = `\x1b[1mkey\x1b[0m\r\n${secret}\r\n`
    let out = ''
    for (let at = 0; at < text.length; ) {
      const length = 1 + random(7)
      out += guard.take(text.slice(at, at + length))
      at += length
    }
    expectGone(out + guard.release(), secret)
  }
})
