import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { times } from '../../test/support/times.ts'
import type { AgentEvent } from '../contract/events.ts'
import { DeltaGuard, type GuardedEvent } from './delta-guard.ts'
import { createDeltaGuard, createRedactor } from './redaction.ts'

const VALUE = 'hunter2-hunter2-value'
const ENV = { DEPLOY_TOKEN: VALUE }
const SECRETS = [
  VALUE,
  'sk-proj-abcdefghijklmnop0123456789',
  `ghp_${'a1'.repeat(18)}`,
  'AKIAABCDEFGHIJKLMNOP',
  'glpat-abcdefghij0123456789',
  'xoxb-123456789012-abcdef',
  `AIza${'b2'.repeat(18)}`,
  'Bearer abcdefghijklmnop.qrst',
  'https://user:pa55word@host/path',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdef',
  pem('PRIVATE KEY'),
  pem('RSA PRIVATE KEY', '\\n'),
]

/** A key as it is in a file, and as JSON writes it. */
function pem(name: string, newline = '\n'): string {
  const lines = Array.from({ length: 12 }, (_, index) => `${index}aB+/`.repeat(12))
  return [`-----BEGIN ${name}-----`, ...lines, 'Zz9=', `-----END ${name}-----`].join(newline)
}

/** What must not be seen of each. */
const CORES = [
  ...SECRETS.map((secret) => secret.replace(/^Bearer /, '').replace(/^https:\/\/user:(.*)@.*$/, '$1')),
  ...['aB+/', 'Zz9='],
]
const WORDS = [
  'the',
  '-',
  '---',
  '--- BEGIN',
  '-----BEGIN ',
  '-----BEGIN PUBLIC KEY-----',
  's',
  'sk',
  'be',
  'basic',
  'bearer',
  'https',
  'http:',
  'A',
  'hunter2',
  'x',
  '🙂',
  'ende',
  '"',
]

const guard = () => createDeltaGuard({}, ENV)
const redact = createRedactor({}, ENV)
const base = { runId: 'r', agent: 'a', timestamp: 1 }
const piece = (delta: string): AgentEvent => ({ ...base, type: 'text_delta', delta, accumulated: '' })
const stop: AgentEvent = { ...base, type: 'message_stop', text: '' }

function textOf(events: readonly GuardedEvent[]): string {
  return events.map(({ event }) => ('delta' in event ? event.delta : '')).join('')
}

function pass(one: DeltaGuard, pieces: readonly string[], from = 1): GuardedEvent[] {
  return pieces.flatMap((text, index) => one.pass(piece(text), from + index))
}

const texts = fc
  .array(fc.oneof(fc.constantFrom(...WORDS), fc.constantFrom(...SECRETS)), { maxLength: 12 })
  .map((words) => words.join(' '))

/** A text in pieces, small ones above all. */
const pieces = fc
  .tuple(texts, fc.array(fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 60 })), { minLength: 1 }))
  .map(([text, sizes]) => {
    const cut: string[] = []
    for (let at = 0, turn = 0; at < text.length; turn++) {
      const size = sizes[turn % sizes.length] ?? 1
      cut.push(text.slice(at, at + size))
      at += size
    }
    return cut
  })

describe('a text in pieces', () => {
  test('comes out as the whole text would, wherever it is cut', () => {
    fc.assert(
      fc.property(pieces, (cut) => {
        const one = guard()
        const events = [...pass(one, cut), ...one.pass(stop, cut.length + 1)]
        const out = textOf(events)
        expect(out).toBe(redact(cut.join('')))
        for (const core of CORES) expect(out).not.toContain(core)
        // Every event of the run is there, in order; what was added is right before what ended the text.
        expect(events.filter(({ isAdded }) => !isAdded)).toHaveLength(cut.length + 1)
        expect(events.slice(0, -2).some(({ isAdded }) => isAdded)).toBe(false)
        expect(events.at(-1)?.event.type).toBe('message_stop')
      }),
      { numRuns: times(50, 200) },
    )
  })

  test('that cannot become a secret is held by nobody', () => {
    const events = pass(guard(), ['Here ', 'is what I found', ': three things.\n', '1. one, 2. two'])
    expect(events.map(({ held }) => held)).toEqual([0, 0, 0, 0])
  })

  test('goes on with the next process, which knows only how much was held', () => {
    fc.assert(
      fc.property(pieces, fc.nat(), (cut, at) => {
        const first = guard()
        const onDisk = pass(first, cut.slice(0, cut.length === 0 ? 0 : at % cut.length))
        const next = guard()
        const texts = [...cut]
        const mask = (events: readonly GuardedEvent[]) => {
          for (const { frame, becomes } of events.flatMap(({ pieces }) => pieces)) texts[frame - 1] = becomes
        }
        mask(onDisk)
        texts.slice(0, onDisk.length).forEach((text, index) => {
          next.skip(piece(text), index + 1)
        })
        next.resume(onDisk.at(-1)?.held ?? 0)
        const rest = pass(next, cut.slice(onDisk.length), onDisk.length + 1)
        const events = [...rest, ...next.release()]
        expect(textOf([...onDisk, ...events])).toBe(redact(cut.join('')))
        mask(events)
        const left = texts.map(redact).join('')
        for (const core of CORES) expect(left).not.toContain(core)
      }),
      { numRuns: times(30, 100) },
    )
  })

  test('leaves no piece of a secret: what is masked has its length, and is taken for a secret, too', () => {
    fc.assert(
      fc.property(pieces, (cut) => {
        const one = guard()
        const texts = [...cut]
        for (const { pieces } of [...pass(one, cut), ...one.release()]) {
          for (const { frame, is, becomes } of pieces) {
            expect(is).toBe(texts[frame - 1])
            expect(becomes).toHaveLength(is.length)
            texts[frame - 1] = becomes
          }
        }
        // What one line holds whole is taken out of it before.
        const left = texts.map(redact).join('')
        for (const core of CORES) expect(left).not.toContain(core)
        const again = guard()
        const events = [...pass(again, texts), ...again.release()]
        const isKnownByForm = !cut.join('').includes(VALUE)
        if (isKnownByForm) expect(textOf(events)).toBe(redact(cut.join('')))
      }),
      { numRuns: times(30, 100) },
    )
  })

  test('does not mix with another', () => {
    const one = guard()
    const thought: AgentEvent = { ...base, type: 'thinking_delta', delta: 'k-', accumulated: '' }
    const events = [...one.pass(piece('see s'), 1), ...one.pass(thought, 2), ...one.pass(piece('k-'), 3)]
    expect(events.map(({ event, isAdded }) => [event.type, 'delta' in event && event.delta, isAdded])).toEqual([
      ['text_delta', 'see ', false],
      ['text_delta', 's', true],
      ['thinking_delta', 'k-', false],
      ['text_delta', 'k-', false],
    ])
  })

  test('is not held forever', () => {
    const one = guard()
    const events = pass(one, Array(400).fill('https://example.test/'))
    expect(Math.max(...events.map(({ held }) => held))).toBeLessThanOrEqual(1024)
  })
})

test('a long run of base64 in small pieces is gone through once in a while, not at every piece', () => {
  let looks = 0
  const counted = new DeltaGuard({
    find: () => [],
    maskOf: (text) => text,
    waitFrom: (text) => {
      looks += 1
      return Math.max(0, text.length - 2048)
    },
  })
  const pieces = Array.from({ length: 20_000 }, (_, at) => `${at}`.padStart(5, 'aB9+'))
  const written = pieces.flatMap((delta, at) => counted.pass(piece(delta), at)).concat(counted.release())
  expect(written.map(({ event }) => ('delta' in event ? event.delta : '')).join('')).toBe(pieces.join(''))
  expect(looks).toBeLessThan(pieces.length / 20)
})

test('a private key whose first line was broken at a width is taken out of its pieces', () => {
  const key = pem('RSA PRIVATE\nKEY')
  for (const size of [1, 3, 7, 64]) {
    const one = guard()
    const cut = Array.from({ length: Math.ceil(key.length / size) }, (_, at) => key.slice(at * size, (at + 1) * size))
    expect(textOf([...pass(one, cut), ...one.release()])).not.toContain('aB+/')
  }
})
