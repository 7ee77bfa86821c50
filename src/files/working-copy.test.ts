import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { WorkingCopy } from '../contract/spawn.ts'
import { openWorkingCopy, withoutLitter } from './working-copy.ts'

const HEADER = '{"sessionId":"s"}\n'
const STUB = `${HEADER}{"$set":{"messages":[{"id":"0","type":"user"}]}}\n`
const message = (id: string) => `{"id":"${id}","type":"user"}\n`
const WHOLE = `${HEADER}${message('1')}`
const litter = { fileNameEnd: '-s.jsonl', opening: '{"sessionId":', content: ['\n{"id":', '"type":"gemini"'] }

let directory = ''
let plan: WorkingCopy
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'amux-copy-'))
  plan = { original: join(directory, '1-s.jsonl'), copy: join(directory, '0-1-s-x.jsonl'), litter }
  writeFileSync(plan.original, WHOLE)
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const text = (path: string) => readFileSync(path, 'utf8')

test('the agent works on the copy, which then takes the place of the original', async () => {
  const settle = await openWorkingCopy(plan)
  expect(text(plan.copy)).toBe(WHOLE)
  appendFileSync(plan.copy, message('2'))
  expect(text(plan.original)).toBe(WHOLE)
  await settle()
  expect(text(plan.original)).toBe(WHOLE + message('2'))
  expect(readdirSync(directory)).toEqual(['1-s.jsonl'])
})

test('a stub is removed, whether it is a file of its own or came into the original', async () => {
  const settle = await openWorkingCopy(plan)
  writeFileSync(join(directory, '2-s.jsonl'), STUB)
  writeFileSync(join(directory, '3-s.jsonl'), `${STUB}${message('9')}`)
  writeFileSync(join(directory, '2-t.jsonl'), STUB)
  appendFileSync(plan.original, STUB)
  appendFileSync(plan.copy, message('2'))
  await settle()
  expect(text(plan.original)).toBe(WHOLE + message('2'))
  expect(readdirSync(directory)).toEqual(['1-s.jsonl', '2-t.jsonl', '3-s.jsonl'])
})

test('what a killed run has left is put right before the next one, even when the agent deleted the original', async () => {
  await openWorkingCopy(plan)
  appendFileSync(plan.copy, message('2'))
  rmSync(plan.original)
  const settle = await openWorkingCopy(plan)
  expect(text(plan.original)).toBe(WHOLE + message('2'))
  expect(text(plan.copy)).toBe(WHOLE + message('2'))
  await settle()
  expect(text(plan.original)).toBe(WHOLE + message('2'))
})

test('two runs of one session at the same time lose nothing', async () => {
  const settleFirst = await openWorkingCopy(plan)
  appendFileSync(plan.copy, message('2'))
  const settleSecond = await openWorkingCopy(plan)
  appendFileSync(plan.copy, message('3'))
  await settleFirst()
  appendFileSync(plan.copy, message('4'))
  await settleSecond()
  expect(text(plan.original)).toBe(WHOLE + message('2') + message('3') + message('4'))
  expect(existsSync(plan.copy)).toBe(false)
})

test('when somebody else has written to the original, both stay', async () => {
  const settle = await openWorkingCopy(plan)
  appendFileSync(plan.original, message('5'))
  appendFileSync(plan.copy, message('2'))
  await settle()
  expect(text(plan.original)).toBe(WHOLE + message('5'))
  expect(text(plan.copy)).toBe(WHOLE + message('2'))
})

test('litter is what holds none of the words of a conversation', () => {
  expect(withoutLitter(STUB, litter)).toBe('')
  expect(withoutLitter(WHOLE + STUB + STUB, litter)).toBe(WHOLE)
  expect(withoutLitter(STUB + WHOLE, litter)).toBe(STUB + WHOLE)
  expect(withoutLitter(message('1'), litter)).toBe(message('1'))
})
