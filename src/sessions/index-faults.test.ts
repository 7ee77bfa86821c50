import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  at,
  claudeFile,
  closeAll,
  FIXTURES,
  good,
  put,
  sessionsAt,
  useSessionHome,
} from '../../test/support/session-home.ts'
import { openWritable } from '../files/sqlite.ts'

useSessionHome()

const database = () => at('.agent-mux/data/sessions.db')

/** The same numbers below a limit each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

describe('our own index', () => {
  test('is rebuilt when it is damaged, before or while it is open', async () => {
    put(good(), claudeFile())
    put('rubbish'.repeat(1000), database())
    expect((await sessionsAt().totalCost()).outputTokens).toBe(75)
    closeAll()
    const whole = readFileSync(database())
    for (let page = 1; page * 4096 < whole.length; page++) {
      const bytes = Buffer.from(whole)
      bytes.fill(0x55, page * 4096, (page + 1) * 4096)
      put(bytes, database())
      const sessions = sessionsAt()
      expect((await sessions.totalCost()).outputTokens).toBe(75)
      expect(await sessions.search({ text: 'second' })).toHaveLength(1)
      sessions.close()
    }
  })

  test('is rebuilt whichever of its bytes are wrong or missing', async () => {
    put(good(), claudeFile())
    await sessionsAt().refresh({ text: true }) // still open: what is new is in its log
    const files = [database(), `${database()}-wal`]
    const whole = files.map((file) => readFileSync(file))
    closeAll()
    const random = numbers(7)
    for (let round = 0; round < 60; round++) {
      const hurt = round % 2
      for (const [index, file] of files.entries()) {
        const bytes = Buffer.from(whole[index] ?? '')
        if (index !== hurt) put(bytes, file)
        else if (round % 6 < 2) put(bytes.subarray(0, random(bytes.length)), file)
        else {
          for (let n = round % 6 < 4 ? 1 : 200; n > 0; n--) bytes[random(bytes.length)] = random(256)
          put(bytes, file)
        }
      }
      rmSync(`${database()}-shm`, { force: true })
      const sessions = sessionsAt()
      // A wrong byte in a number is a number, too: it cannot be known. It must not be fatal.
      await sessions.totalCost({ groupBy: 'day' })
      await sessions.list()
      await sessions.search({ text: 'second' })
      sessions.close()
      rmSync(dirname(database()), { recursive: true })
      expect((await sessionsAt().totalCost()).outputTokens).toBe(75)
      closeAll()
    }
  }, 120_000)

  test('one of a newer agent-mux is left alone, and ours is created beside it', async () => {
    put(good(), claudeFile())
    mkdirSync(dirname(database()), { recursive: true })
    const newer = await openWritable(database())
    newer.exec('CREATE TABLE later (x TEXT) STRICT; PRAGMA user_version = 99')
    newer.close()
    const before = readFileSync(database())
    expect((await sessionsAt().totalCost()).outputTokens).toBe(75)
    appendFileSync(claudeFile(), good().toString().replaceAll('mock', 'm2'))
    expect((await sessionsAt().totalCost()).outputTokens).toBe(150)
    expect(readFileSync(database())).toEqual(before)
    expect(readdirSync(dirname(database())).filter((name) => name.endsWith('.db'))).toHaveLength(2)
  })

  test('serves several processes at once, of which some are killed at any moment', async () => {
    for (let n = 10; n < 40; n++) {
      const id = `aaaaaaaa-bbbb-4ccc-8ddd-0000000000${n}`
      put(good().toString().replaceAll('mock', `m${n}`), claudeFile(id))
    }
    const program = `
      import { createClient } from ${JSON.stringify(join(import.meta.dirname, '..', '..', 'dist', 'index.js'))}
      const { sessions } = createClient()
      await sessions.search({ text: 'second' })
      console.log((await sessions.totalCost()).outputTokens)
      sessions.close()`
    const start = () =>
      spawn(process.execPath, ['--input-type=module', '-e', program], {
        env: { HOME: at(), PATH: process.env.PATH },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
    const random = numbers(11)
    const killed = Array.from({ length: 4 }, async () => {
      const child = start()
      setTimeout(() => child.kill('SIGKILL'), 150 + random(700))
      await once(child, 'close')
    })
    const printed = [start(), start()].map(async (child) => {
      let text = ''
      child.stdout.on('data', (chunk) => {
        text += chunk
      })
      await once(child, 'close')
      return Number(text)
    })
    expect(await Promise.all(printed)).toEqual([30 * 75, 30 * 75])
    await Promise.all(killed)
    expect((await sessionsAt().totalCost()).outputTokens).toBe(30 * 75)
    expect(await sessionsAt().search({ text: 'second' })).toHaveLength(30)
  }, 120_000)

  test('nothing is written to an agent`s own store', async () => {
    put(good(), claudeFile())
    cpSync(join(FIXTURES, 'codex/fixtures/sessions/s-fork.jsonl'), at('.codex/sessions/2026/rollout-x.jsonl'), {
      recursive: true,
    })
    for (const path of [claudeFile(), at('.codex/sessions/2026/rollout-x.jsonl')]) chmodSync(path, 0o444)
    const sessions = sessionsAt()
    await sessions.refresh({ text: true })
    expect(readFileSync(claudeFile())).toEqual(good())
    chmodSync(claudeFile(), 0o644)
    appendFileSync(claudeFile(), '\n')
    expect((await sessions.totalCost({ agent: 'claude' })).outputTokens).toBe(75)
  })
})
