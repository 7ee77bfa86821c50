import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createRedactor } from '../secrets/redaction.ts'
import { maskPieces } from './mask-pieces.ts'
import { NativeLog, readInputs } from './native-log.ts'

const BODY = ['MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', 'BKcwggSjAgEAAoIBAQC7Zq0x1yXkRrd3', 'Tq==']
const KEY = ['-----BEGIN RSA PRIVATE KEY-----', 'Proc-Type: 4,ENCRYPTED', '', ...BODY, '-----END RSA PRIVATE KEY-----']

test('a private key is in no log, in whatever lines it comes; what is around it is', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'amux-native-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const path = join(directory, 'native.ndjson')
  const log = new NativeLog(path, createRedactor({}, {}))
  const given = ['before', ...KEY, 'Abc123 after', JSON.stringify({ text: `see\n${KEY.join('\n')}\nthere` }), 'xyz']
  for (const line of given) {
    log.inputs([{ kind: 'line', source: 'stderr', line }], null)
    log.inputs([{ kind: 'line', source: 'stdout', line: JSON.stringify({ line: 'Abc' }) }], null)
  }
  log.close()
  const text = readFileSync(path, 'utf8')
  for (const line of BODY) expect(text).not.toContain(line)
  const kept: string[] = []
  for await (const { inputs } of readInputs(path)) {
    for (const { input } of inputs) if (input.kind === 'line' && input.source === 'stderr') kept.push(input.line)
  }
  expect(kept.map((line) => line.length).slice(0, KEY.length + 2)).toEqual(
    given.map((line) => line.length).slice(0, KEY.length + 2),
  )
  expect([kept[0], kept.at(-3), kept.at(-1)]).toEqual(['before', 'Abc123 after', 'xyz'])
  expect(JSON.parse(kept.at(-2) ?? '')).toEqual({ text: 'see\n-----[redacted]\nthere' })
})

/** As Claude Code writes the pieces of a tool's input. */
const piece = (text: string, id: number, index = 1) =>
  JSON.stringify({
    type: 'stream_event',
    event: { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: text } },
    session_id: '0e1a7a3c-3f4c-4c57-8c1f-6f0f1a2b3c4d',
    parent_tool_use_id: null,
    uuid: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  })

async function linesIn(path: string): Promise<string[]> {
  const kept: string[] = []
  for await (const { inputs } of readInputs(path)) {
    for (const { input } of inputs) if (input.kind === 'line') kept.push(input.line)
  }
  return kept
}

function openLog() {
  const directory = mkdtempSync(join(tmpdir(), 'amux-native-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const path = join(directory, 'native.ndjson')
  const log = new NativeLog(path, createRedactor({}, {}))
  const take = (line: string) => log.inputs([{ kind: 'line', source: 'stdout', line }], null)
  return { path, log, take }
}

test('lines that come by the thousand and differ in a few texts cost less than half, and are all there', async () => {
  const { path, log, take } = openLog()
  const odd = ['\\', '"', '\n', '', 'ü', '"}],"', '\\"', '🙂', '\u2028']
  const given = Array.from({ length: 9000 }, (_, at) => {
    if (at % 4000 === 3999) return JSON.stringify({ type: 'other', at })
    return at % 7000 === 6999 ? 'no record' : piece(odd[at % odd.length] ?? '', at, at % 3)
  })
  for (const line of given) take(line)
  log.close()
  expect(await linesIn(path)).toEqual(given)
  expect(statSync(path).size).toBeLessThan(
    given.map((data) => JSON.stringify({ n: 1, t: Date.now(), data })).join('\n').length / 2,
  )
  const [first] = readFileSync(path, 'utf8').split('\n')
  expect(JSON.parse(first ?? '').data, 'the first ones are as they were').toBe(given[0])
})

test('a damaged line takes few others with it', async () => {
  const { path, log, take } = openLog()
  const given = Array.from({ length: 5000 }, (_, at) => piece(String(at), at))
  for (const line of given) take(line)
  log.close()
  const lines = readFileSync(path, 'utf8').split('\n')
  lines[127] = (lines[127] ?? '').slice(0, 40)
  writeFileSync(path, lines.join('\n'))
  const kept = await linesIn(path)
  expect(kept.length).toBeGreaterThan(4400)
  expect(given).toEqual(expect.arrayContaining(kept))
})

test('the pieces of a secret are masked in lines that were shortened', async () => {
  const { path, log, take } = openLog()
  const given = Array.from({ length: 400 }, (_, at) => piece(at < 300 ? 'x' : ('secret'[at % 6] ?? ''), at))
  for (const line of given) take(line)
  log.close()
  const pieces = given.flatMap((_, at) =>
    at < 300 ? [] : [{ frame: at + 1, is: 'secret'[at % 6] ?? '', becomes: 'a' }],
  )
  maskPieces(path, pieces)
  expect(await linesIn(path)).toEqual(given.map((line, at) => (at < 300 ? line : piece('a', at))))
})
