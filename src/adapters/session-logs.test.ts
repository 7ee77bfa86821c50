import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SessionFacts, SessionFiles, SessionLog, UsageRow } from '../contract/session-store.ts'
import { addUsage, emptyUsage } from '../core/usage.ts'
import { readLines } from '../files/read-lines.ts'
import { factsOf } from '../sessions/session-reading.ts'
import { sessionStores } from './session-stores.ts'

interface Sample {
  agent: string
  path: string
  sessions: SessionFiles
  log: SessionLog
}

const here = import.meta.dirname

async function samples(): Promise<Sample[]> {
  const found: Sample[] = []
  for (const { agent, load } of sessionStores) {
    const sessions = await load()
    if (!('isSession' in sessions) || !sessions.log) continue
    const { log } = sessions
    const folder = join(here, agent, 'fixtures', 'sessions')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
    for (const file of files) found.push({ agent, path: join(folder, file), sessions, log })
  }
  return found
}

function jsonOf(path: string): Record<string, unknown> {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}

function readAll(
  { log, sessions, path }: Sample,
  pieces: readonly Buffer[],
): { facts: SessionFacts; rows: UsageRow[] } {
  const rows = new Map<string, UsageRow>()
  let saved: unknown = null
  let facts: SessionFacts | undefined
  for (const piece of pieces) {
    const reader = log.open(path, saved)
    reader.read(piece, (row) => rows.set(row.key, row))
    facts = reader.facts()
    saved = JSON.parse(JSON.stringify(reader.state()))
  }
  facts ??= log.open(path, null).facts()
  const beside = sessions.beside?.read(facts, sessions.beside.paths(path).map(jsonOf)) ?? []
  return { facts, rows: [...rows.values(), ...beside] }
}

/** One line at a time, as if each had been appended after the last reading. */
function linesOf(bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0x0a, at) + 1 || bytes.length
    pieces.push(bytes.subarray(at, end))
    at = end
  }
  return pieces
}

/** In everything that may be words of a person, a model or a tool. */
function withSecret(secret: string): (name: string, value: unknown) => unknown {
  return (_name, value) => (typeof value === 'string' && value.includes(' ') ? `${secret} ${value} ${secret}` : value)
}

const all = await samples()

describe.each(all.map((sample) => ({ ...sample, name: `${sample.agent} ${basename(sample.path)}` })))(
  '$name',
  (sample) => {
    const { path, sessions } = sample
    const bytes = readFileSync(path)

    test('gives the same as reading the session whole', async () => {
      const session = await sessions.read(readLines(path), path)
      const { reported: _, reportedAt: __, parentId: ___, ...facts } = readAll(sample, [bytes]).facts
      expect(facts).toEqual(factsOf(session))
      if (!session.tokenUsage) return
      expect(readAll(sample, [bytes]).rows.reduce(addUsage, emptyUsage())).toEqual(session.tokenUsage)
    })

    test('goes on where it stopped', () => {
      expect(readAll(sample, linesOf(bytes))).toEqual(readAll(sample, [bytes]))
    })

    test('keeps no secret, whatever text it is in', () => {
      const secret = `sk-ant-${'a1B2c3D4'.repeat(5)}`
      const told = bytes
        .toString()
        .split('\n')
        .map((line) => (line === '' ? '' : JSON.stringify(JSON.parse(line, withSecret(secret)))))
      const reader = sample.log.open(path, null)
      reader.read(Buffer.from(told.join('\n')), () => {})
      expect(told.join('')).toContain(secret)
      expect(JSON.stringify([reader.facts(), reader.state()])).not.toContain(secret)
    })

    test('is not misled by a line that was cut off, nor by rubbish', () => {
      const half = bytes.subarray(0, Math.floor(bytes.length / 2))
      const rubbish = Buffer.from('\u0000\u0001{"type":\n{]\n"\\\n{"message":{"usage":{"input_tokens":\n\n')
      for (let cut = 0; cut < half.length; cut += 97) {
        expect(() => readAll(sample, [half.subarray(0, cut), rubbish])).not.toThrow()
      }
      expect(readAll(sample, [rubbish, bytes, rubbish])).toEqual(readAll(sample, [bytes]))
    })
  },
)
