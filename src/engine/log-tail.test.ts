import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bareAdapter } from '../../test/support/adapters.ts'
import { collect, testClient } from '../../test/support/client.ts'
import { until } from '../../test/support/until.ts'
import type { LogFile } from '../contract/spawn.ts'
import { LogTail } from './log-tail.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'amux-log-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

async function follow(log: LogFile, sessionId: () => string | null = () => null) {
  const lines: string[] = []
  const tail = new LogTail(log, { path: (path) => path, sessionId, onLines: (more) => lines.push(...more) })
  await tail.skip()
  tail.follow((text) => text)
  return { tail, lines }
}

test('only what comes after the start counts, and of that only the lines that were asked for', async () => {
  const file = join(home, 'cn.log')
  writeFileSync(file, 'old: try\n')
  const { tail, lines } = await follow({ path: join(home, 'cn*.log'), lines: 'try' })
  appendFileSync(file, 'noise\nnew: try\n')
  // A log that is full goes on in the next file.
  writeFileSync(join(home, 'cn1.log'), 'next: try\nhalf a line: t')
  await until('lines', () => lines.length === 2)
  appendFileSync(join(home, 'cn1.log'), 'ry\n')
  await until('lines', () => lines.length === 3)
  expect(lines).toEqual(['new: try', 'next: try', 'half a line: try'])
  await tail.close()
})

test('a log is found in whichever folder it is', async () => {
  mkdirSync(join(home, 'a/s1'), { recursive: true })
  mkdirSync(join(home, 'b'))
  const { tail, lines } = await follow({ path: join(home, '*/{session}/wire.jsonl'), lines: '.' }, () => 's1')
  mkdirSync(join(home, 'b/s1'))
  writeFileSync(join(home, 'b/s1/wire.jsonl'), 'one\n')
  await until('lines', () => lines.length === 1)
  appendFileSync(join(home, 'b/s1/wire.jsonl'), 'two\n')
  await until('lines', () => lines.length === 2)
  expect(lines).toEqual(['one', 'two'])
  await tail.close()
})

test('a log of the session is found when that has a name, and goes when it was made for us', async () => {
  const log = { path: join(home, 'debug/{session}.txt'), lines: '.', isOurs: true }
  mkdirSync(join(home, 'debug'))
  let sessionId: string | null = null
  const { tail, lines } = await follow(log, () => sessionId)
  writeFileSync(join(home, 'debug/s1.txt'), 'one\n')
  sessionId = 's1'
  await until('lines', () => lines.length === 1)
  await tail.close()
  expect(existsSync(join(home, 'debug/s1.txt'))).toBe(false)
  writeFileSync(join(home, 'debug/s1.txt'), 'kept\n')
  const again = await follow(log, () => 's1')
  await again.tail.close()
  expect(existsSync(join(home, 'debug/s1.txt'))).toBe(true)
})

test('an agent that reports its limit only in a log is ended by it', async () => {
  const retry = { type: 'retry', attempt: 1, maxAttempts: 9, reason: '429', delayMs: 1 }
  const script = `require('fs').appendFileSync(process.argv[1], ${JSON.stringify(`noise\n${JSON.stringify(retry)}\n`)});setInterval(() => {}, 1000)`
  const adapter = bareAdapter('fake', {
    args: ['-e', script, '{file:debug.log}'],
    files: [{ name: 'debug.log', content: '' }],
    logFile: { path: '{file:debug.log}', lines: 'retry' },
    closeStdinAfterSpawn: true,
  })
  const client = testClient([adapter])
  const options = { agent: 'fake', prompt: 'x', limitGraceMs: 30, gracePeriodMs: 200, timeout: 20_000 }
  const { result } = await collect(client.run(options))
  expect(result.outcome).toMatchObject({ kind: 'rate_limited', evidence: '429' })
})
