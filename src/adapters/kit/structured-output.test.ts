import { expect, test } from 'vitest'
import { structuredOutput } from './structured-output.ts'

test('the last message is the answer to a schema, when it is JSON', () => {
  const options = { prompt: '', outputSchema: { type: 'object' } }
  expect(structuredOutput(options, '{"a":1}')).toEqual([{ structuredOutput: { a: 1 } }])
  expect(structuredOutput(options, 'sorry')).toEqual([])
  expect(structuredOutput({ prompt: '' }, '{"a":1}')).toEqual([])
})
