import { expect, test } from 'vitest'
import { QueryFilter } from './terminal-queries.ts'

const QUERIES = ['\x1b[c', '\x1b[>c', '\x1b[>0q', '\x1b[6n', '\x1b[?6n', '\x1b[?2026$p', '\x1b[?u', '\x1b[18t']
const STRINGS = ['\x1b]11;?\x07', '\x1b]10;?\x1b\\', '\x1b]4;1;?\x07', '\x1bP+q544e\x1b\\', '\x1bP$qm\x1b\\']
const OUTPUT = [
  '\x1b[31mred\x1b[0m',
  '\x1b[2J\x1b[H',
  '\x1b[?2004h',
  '\x1b]0;title\x07',
  '\x1b[>1u',
  '\x1b[<u',
  '│ ❯ ',
  '\x1b[4;5H',
]

test('questions are taken out, and nothing else', () => {
  for (const query of [...QUERIES, ...STRINGS]) expect(new QueryFilter().push(`a${query}b`), query).toBe('ab')
  for (const output of OUTPUT) expect(new QueryFilter().push(`a${output}b`)).toBe(`a${output}b`)
})

test('wherever the output is cut into pieces', () => {
  const whole = [...QUERIES, ...OUTPUT, ...STRINGS, 'end'].map((part, index) => `${index}${part}`).join('')
  const expected = new QueryFilter().push(whole)
  for (let size = 1; size < 12; size++) {
    const filter = new QueryFilter()
    let seen = ''
    for (let at = 0; at < whole.length; at += size) seen += filter.push(whole.slice(at, at + size))
    expect(seen, `pieces of ${size}`).toBe(expected)
  }
})
