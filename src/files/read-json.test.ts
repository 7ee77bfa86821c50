import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readJson, readJsonList } from './read-json.ts'

const directory = mkdtempSync(join(tmpdir(), 'amux-read-json-'))
afterAll(() => rmSync(directory, { recursive: true }))

function file(content: string): string {
  const path = join(directory, 'file.json')
  writeFileSync(path, content)
  return path
}

test('reads an object, and takes everything else for none', async () => {
  expect(await readJson(file('{"a":1}'))).toEqual({ a: 1 })
  expect(await readJson(file('[1]'))).toBeUndefined()
  expect(await readJson(file('{"a":'))).toBeUndefined()
  expect(await readJson(join(directory, 'missing.json'))).toBeUndefined()
})

test('reads the objects of a list', async () => {
  expect(await readJsonList(file('[{"a":1},2]'))).toEqual([{ a: 1 }])
  expect(await readJsonList(file('{}'))).toEqual([])
})
