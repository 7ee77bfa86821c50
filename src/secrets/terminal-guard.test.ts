import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Screen } from '../runner/screen.ts'
import { createTerminalGuard } from './redaction.ts'
import type { TerminalGuard } from './terminal-guard.ts'

const VALUE = 'hunter2-hunter2-value'
const QUOTED = 'say "friend" \\now'
const guard = () => createTerminalGuard({ env: { DEPLOY_TOKEN: VALUE, DOOR_SECRET: QUOTED } }, {})
const stars = (text: string) => '*'.repeat(text.length)

function pass(one: TerminalGuard, pieces: readonly string[]): string {
  return pieces.map((piece) => one.take(piece)).join('') + one.release()
}

const KEY = 'sk-proj-abcdefghijklmnop0123456789'
const SECRETS: [name: string, text: string, shown: string][] = [
  ['a known value', `is ${VALUE} now`, `is ${stars(VALUE)} now`],
  [
    'one as JSON writes it',
    JSON.stringify({ QUOTED }),
    `{"QUOTED":"${QUOTED.replace(/\\|"/g, '\\$&').replace(/\S/g, '*')}"}`,
  ],
  ['a key', `export K=${KEY}\r\n$ `, `export K=${stars(KEY)}\r\n$ `],
  ['a bearer token', 'Bearer abcdefghijklmnop.qrst ok', 'Bearer ********************* ok'],
  ['a password in an address', 'at https://user:pa55word@host/path ok', 'at https://user:********@host/path ok'],
  [
    'a key that changes its colour',
    `\x1b[1m${KEY.slice(0, 9)}\x1b[31m${KEY.slice(9)}\x1b[0m ok`,
    `\x1b[1m${stars(KEY.slice(0, 9))}\x1b[31m${stars(KEY.slice(9))}\x1b[0m ok`,
  ],
  ['a key where the cursor was put', `\x1b[5;7H${KEY}\x1b[6;1Hok`, `\x1b[5;7H${stars(KEY)}\x1b[6;1Hok`],
  ['a key in a title', `\x1b]0;${KEY}\x07ok`, `\x1b]0;${stars(KEY)}\x07ok`],
  [
    'an address beside a cell with an @',
    '\x1b[2;1Hhttp://127.0.0.1:8080\x1b[2;40Huser@host',
    '\x1b[2;1Hhttp://127.0.0.1:8080\x1b[2;40Huser@host',
  ],
]

describe('what a program writes to its terminal', () => {
  test.each(SECRETS)('%s is masked wherever it is cut, in as many cells', (_, text, shown) => {
    for (let at = 0; at <= text.length; at++) {
      expect(pass(guard(), [text.slice(0, at), text.slice(at)])).toBe(shown)
    }
    expect(pass(guard(), [...text])).toBe(shown)
  })

  test('a private key goes, also from a screen whose lines are placed one by one', () => {
    const lines = Array.from({ length: 12 }, (_, index) => `${index}aB+/`.repeat(12))
    for (const newline of ['\r\n', '\x1b[K\x1b[1B\x1b[2G']) {
      const text = ['-----BEGIN RSA PRIVATE KEY-----', ...lines, '-----END RSA PRIVATE KEY-----', 'ok'].join(newline)
      for (const size of [1, 7, 64, 4096]) {
        const shown = pass(guard(), text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [])
        expect(shown).not.toContain('aB+/')
        expect(shown).toHaveLength(text.length)
        expect(shown.endsWith(`${newline}ok`)).toBe(true)
      }
    }
  })

  test('what was shown because nothing came for long is not shown on', () => {
    const one = guard()
    const first = one.take('K=sk-proj-abc') + one.release()
    expect(first).toBe('K=sk-proj-abc')
    expect(one.take('defghijklmnop0123456789 ') + one.release()).toBe(`${stars('defghijklmnop0123456789')} `)
    const lines = Array.from({ length: 40 }, (_, index) => `${index}aB+/`.repeat(12))
    const key = ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----\n']
    expect(key.map((line) => one.take(`${line}\n`) + one.release()).join('')).not.toContain('aB+/')
  })

  test('wide characters of a secret take two cells, and so does their mask', async () => {
    const value = '漢字-password-👍-é'
    const one = createTerminalGuard({ env: { DOOR_SECRET: value } }, {})
    const screen = await Screen.open({ cols: 60, rows: 2 }, () => {})
    screen.write(`${value}|\r\n${pass(one, [...`${value}|`])}`)
    const [is = '', shown = ''] = (await screen.settled(() => screen.text())).lines
    const cells = (line: string) => [...line].reduce((sum, one) => sum + (/[漢字👍＊]/u.test(one) ? 2 : 1), 0)
    expect(shown).not.toMatch(/[漢字👍é]|password/u)
    expect(cells(shown)).toBe(cells(is))
  })

  test('everything else comes out as it went in, in whatever pieces', () => {
    const parts = [
      'the ',
      's',
      'https://x.test/',
      '\x1b[31m',
      '\x1b[2;3H',
      '\x1b]0;t\x07',
      '\x1b',
      '[',
      '漢字👍',
      '\r\n',
      '---',
      'sk-',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 40 }), (pieces) => {
        fc.pre(!/sk-[\w-]{16}/.test(pieces.join('')))
        expect(pass(guard(), pieces)).toBe(pieces.join(''))
      }),
    )
  })

  test('nothing is held forever', () => {
    const one = guard()
    const text = `${'https://example.test/'.repeat(50)}${'A'.repeat(3000)}`
    let shown = 0
    for (const [index, character] of [...text].entries()) {
      shown += one.take(character).length
      expect(index + 1 - shown).toBeLessThanOrEqual(8192)
    }
    // A value that fills its line may go on after the move of the cursor. The next words say that it does not.
    const end = '\x1b[?25h\x1b[H'
    expect((one.take(`done${end}`) + one.take('ok \r\n')).slice(-14)).toBe(`${end}ok \r\n`)
    expect(one.isHolding).toBe(false)
  })
})
