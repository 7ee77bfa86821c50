import { expect, test } from 'vitest'
import { isEventRecord } from './event-record.ts'

test('an event with all that belongs to it', () => {
  expect(isEventRecord({ type: 'turn_start' })).toBe(true)
  expect(isEventRecord({ type: 'text_delta', delta: '' })).toBe(true)
  expect(isEventRecord({ type: 'cost', cost: { totalUsd: 0 } })).toBe(true)
})

test('anything else', () => {
  expect(isEventRecord({})).toBe(false)
  expect(isEventRecord({ type: 'toString' })).toBe(false)
  expect(isEventRecord({ type: 'text_delta', delta: 1 })).toBe(false)
  expect(isEventRecord({ type: 'cost', cost: {} })).toBe(false)
})
