import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createRedactor } from '../secrets/redaction.ts'
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
