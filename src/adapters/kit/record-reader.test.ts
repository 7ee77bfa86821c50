import { expect, test } from 'vitest'
import type { JsonRecord } from '../../core/json.ts'
import { recordReader } from './record-reader.ts'

function read(text: string): { records: JsonRecord[]; lost: number } {
  const records: JsonRecord[] = []
  const reader = recordReader((record) => {
    records.push(record)
    return []
  })
  const lost = text.split('\n').flatMap(reader).length
  return { records, lost }
}

test('records of one line, and one over many', () => {
  const pretty = JSON.stringify({ a: { b: [1] } }, null, 2)
  expect(read(`{"x":1}\n\n${pretty}\n{"y":2}`)).toEqual({ records: [{ x: 1 }, { a: { b: [1] } }, { y: 2 }], lost: 0 })
})

test('other lines are counted, also one that never ended', () => {
  expect(read('words\n{\n  "cut\n{"y":2}')).toEqual({ records: [{ y: 2 }], lost: 2 })
})
