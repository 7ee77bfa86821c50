import { expect, test } from 'vitest'
import { ignoredOptions, recordEffects, warning } from './effects.ts'

test('records are handed on, blank lines are nothing, other text is counted', () => {
  const read = (line: string) => recordEffects(line, (record) => [{ unrecognized: `record:${record.type}` }])
  expect(read('{"type":"a"}')).toEqual([{ unrecognized: 'record:a' }])
  expect(read('  ')).toEqual([])
  expect(read('Loading')).toEqual([{ unrecognized: 'text' }])
  expect(read('[1]')).toEqual([{ unrecognized: 'text' }])
})

test('options without a place are told in one sentence', () => {
  const found = ignoredOptions('Codex', { prompt: '', temperature: 0, topK: 1, maxTokens: 2 }, ['maxTokens'])
  expect(found).toEqual([warning('Codex has no setting for temperature, topK; ignored.')])
  expect(ignoredOptions('Codex', { prompt: '' })).toEqual([])
})
