import { expect, test } from 'vitest'
import { recordEffects } from './effects.ts'

test('records are handed on, blank lines are nothing, other text is counted', () => {
  const read = (line: string) => recordEffects(line, (record) => [{ unrecognized: `record:${record.type}` }])
  expect(read('{"type":"a"}')).toEqual([{ unrecognized: 'record:a' }])
  expect(read('  ')).toEqual([])
  expect(read('Loading')).toEqual([{ unrecognized: 'text' }])
  expect(read('[1]')).toEqual([{ unrecognized: 'text' }])
})
