import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { extended } from './extended.ts'

test('a text of very many small pieces takes little more room than its characters', () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const used = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = used()
  let text = ''
  for (let at = 0; at < 300_000; at++) text = extended(text, JSON.parse(`"w${at} "`))
  expect(used() - before).toBeLessThan(3 * text.length + 2_000_000)
  expect(text.length).toBe(2_288_890)
})
