import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LineSplitter } from './lines.ts'

function split(chunks: readonly Buffer[], options: ConstructorParameters<typeof LineSplitter>[0] = {}): string[] {
  const splitter = new LineSplitter(options)
  const lines = chunks.flatMap((chunk) => splitter.push(chunk))
  const rest = splitter.flush()
  return rest === null ? lines : [...lines, rest]
}

/** The same bytes cut at the given places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return at.slice(1).map((end, i) => bytes.subarray(at[i], end))
}

function expected(bytes: Buffer): string[] {
  const lines = bytes.toString('utf8').split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => line.replace(/\r$/, ''))
}

const text = fc
  .array(fc.constantFrom('a', '€', '😀', '\n', '\n', '\r', '\r\n', '\u2028', '\u2029', '\u0085', '\0', '{"x":1}'))
  .map((parts) => Buffer.from(parts.join('')))

describe('LineSplitter', () => {
  test('any chunking gives the lines of the whole', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(200), { maxLength: 8 }), (bytes, places) => {
        expect(split(cut(bytes, places))).toEqual(expected(bytes))
      }),
      { numRuns: 1000 },
    )
  })

  test('a mark of the byte order before the first line is not a part of it, however it is cut', () => {
    const bytes = Buffer.from('\ufeff{"x":1}\n\ufeffb\n')
    for (const at of [0, 1, 2, 3, 4, 9, 12]) expect(split(cut(bytes, [at]))).toEqual(['{"x":1}', '\ufeffb'])
    expect(split([Buffer.from('\ufeffa')])).toEqual(['a'])
  })

  test('any chunking of any bytes gives the same lines', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.array(fc.nat(60), { maxLength: 6 }), (bytes, places) => {
        const whole = Buffer.from(bytes)
        expect(split(cut(whole, places))).toEqual(split([whole]))
      }),
    )
  })

  test('LF ends a line, CRLF too; CR, U+2028 and U+2029 do not', () => {
    expect(split([Buffer.from('a\r\nb\rc\u2028d\u2029e\n\n')])).toEqual(['a', 'b\rc\u2028d\u2029e', ''])
  })

  test('a line longer than the cap is cut and reported with its length, whatever the chunks', () => {
    const bytes = Buffer.from(`ok\n${'x'.repeat(25)}\nok\n${'y'.repeat(10)}\n${'z'.repeat(11)}`)
    fc.assert(
      fc.property(fc.array(fc.nat(60), { maxLength: 6 }), (places) => {
        const reported: number[] = []
        const lines = split(cut(bytes, places), { maxLineBytes: 10, onOversized: (length) => reported.push(length) })
        expect(lines).toEqual(['ok', 'x'.repeat(10), 'ok', 'y'.repeat(10), 'z'.repeat(10)])
        expect(reported).toEqual([25, 11])
      }),
    )
  })

  test('a line in many chunks is not scanned again for each of them', () => {
    const chunk = Buffer.alloc(64 * 1024, 'x')
    const cpu = (chunks: number) => {
      const splitter = new LineSplitter()
      const before = process.cpuUsage()
      for (let i = 0; i < chunks; i++) splitter.push(chunk)
      const line = splitter.flush()
      const { user, system } = process.cpuUsage(before)
      expect(line?.length).toBe(chunks * chunk.length)
      return user + system
    }
    cpu(100)
    // Eight times the bytes: quadratic would be 64 times the time.
    expect(cpu(800) / cpu(100)).toBeLessThan(30)
  })
})
