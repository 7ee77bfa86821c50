import { expect, test } from 'vitest'
import { OpenCalls } from './open-calls.ts'

test('of calls that are never ended the newest thousand are kept', () => {
  const calls = new OpenCalls<{ input: unknown }>()
  for (let n = 0; n < 5000; n++) calls.set(`t${n}`, { input: { command: 'ls' } })
  expect([...calls.keys()]).toEqual(Array.from({ length: 1000 }, (_, index) => `t${4000 + index}`))
})

test('of large ones fewer are kept, whatever their inputs are made of; the newest always', () => {
  const text = 'x'.repeat(400_000)
  for (const input of [{ content: text }, [text], { edits: [{ new: text, old: null, more: undefined }] }]) {
    const calls = new OpenCalls<{ input: unknown }>()
    for (let n = 0; n < 300; n++) calls.set(`t${n}`, { input })
    expect(calls.size).toBe(41)
    expect(calls.has('t299')).toBe(true)
  }
  const one = new OpenCalls<{ input: string }>()
  one.set('small', { input: 'x' }).set('huge', { input: 'x'.repeat(20_000_000) })
  expect([...one.keys()]).toEqual(['huge'])
})

test('what has ended or is said again does not count', () => {
  const calls = new OpenCalls<string>()
  const text = 'x'.repeat(1_000_000)
  for (let n = 0; n < 100; n++) {
    calls.set('again', text).set(`t${n}`, text)
    calls.delete(`t${n}`)
  }
  expect([...calls.keys()]).toEqual(['again'])
  calls.clear()
  for (let n = 0; n < 16; n++) calls.set(`t${n}`, text)
  expect(calls.size).toBe(16)
})

test('a deeply nested input is measured, too', () => {
  let input: unknown = 'x'
  for (let depth = 0; depth < 100_000; depth++) input = [input]
  expect(new OpenCalls().set('deep', input).size).toBe(1)
})
