import { appendFileSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { sessions } from '../adapters/claude/sessions.ts'
import type { AgentEvent } from '../contract/events.ts'
import { LogWindow } from '../sessions/log-window.ts'
import { WholeView } from '../sessions/viewer.ts'
import { type WatchRequest, watchSession } from './watch-session.ts'

const directory = mkdtempSync(join(tmpdir(), 'amux-watch-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const recorded = (name: string): string[] => {
  const path = fileURLToPath(new URL(`../adapters/claude/fixtures/sessions/${name}.jsonl`, import.meta.url))
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `${line}\n`)
}
const lines = recorded('tool')

let files = 0
function newFile(content: string): string {
  files += 1
  const path = join(directory, `${files}.jsonl`)
  writeFileSync(path, content)
  return path
}

const watching = (path: string, more: Partial<WatchRequest> = {}) =>
  watchSession({
    ...{ agent: 'claude', sessionId: 'one', file: path, pollMs: 200 },
    viewer: new LogWindow(path, sessions),
    ...more,
  })

/** Reads on until an event of this type has come, and returns all. */
async function until(iterator: AsyncGenerator<AgentEvent>, type: AgentEvent['type']): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  for (;;) {
    const { value, done } = await iterator.next()
    if (done) return events
    events.push(value)
    if (value.type === type) return events
  }
}

/** By this process, as Linux reports it; 0 elsewhere. */
function filesWatched(): number {
  if (process.platform !== 'linux') return 0
  const lines = readdirSync('/proc/self/fdinfo').map((name) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${name}`, 'utf8')
    } catch {
      return '' // closed since
    }
  })
  return lines.join('').match(/^inotify wd:/gm)?.length ?? 0
}

const brief = (events: readonly AgentEvent[]): string[] => events.map(({ type }) => type)

describe('a session of Claude Code that is being written', () => {
  test('past events have their own time, however late they are emitted', async () => {
    const iterator = watching(newFile(lines.join('')), { turns: 1 })
    const events = await until(iterator, 'message_stop')
    await iterator.return()
    const begun = JSON.parse(lines.find((line) => line.includes('"type":"user"')) ?? '{}').timestamp
    expect(events.find(({ type }) => type === 'turn_start')?.timestamp).toBe(Date.parse(begun))
  })

  test('is emitted as it grows, line by line, also when a line comes in halves', async () => {
    const path = newFile('')
    const iterator = watching(path)
    expect(brief(await until(iterator, 'session_start'))).toEqual(['session_start'])
    const writing = (async () => {
      for (const line of lines) {
        const half = line.length >> 1
        appendFileSync(path, line.slice(0, half))
        await new Promise((resolve) => setTimeout(resolve, 8))
        appendFileSync(path, line.slice(half))
      }
    })()
    const events = [...(await until(iterator, 'message_stop')), ...(await until(iterator, 'message_stop'))]
    await writing
    rmSync(path)
    events.push(...(await until(iterator, 'session_end')))
    expect(events[0]).toMatchObject({ type: 'turn_start', prompt: 'run echo hi', turnIndex: 0 })
    expect(brief(events).filter((type) => type !== 'token_usage')).toEqual([
      ...['turn_start', 'message_start', 'text_delta', 'message_stop'],
      ...['tool_call_start', 'tool_call_ready', 'tool_result'],
      ...['message_start', 'text_delta', 'message_stop', 'turn_end', 'session_end'],
    ])
    const tokens = events.flatMap((event) => (event.type === 'token_usage' ? [event.outputTokens] : []))
    expect(tokens.reduce((sum, one) => sum + one, 0)).toBe(50)
    expect((await iterator.next()).done).toBe(true)
  })

  test('emits only what is new, unless the last turns are asked for', async () => {
    const path = newFile(lines.join(''))
    const fresh = watching(path)
    await until(fresh, 'session_start')
    appendFileSync(path, recorded('forked').join(''))
    expect((await until(fresh, 'turn_start')).at(-1)).toMatchObject({ prompt: 'session first' })
    await fresh.return()

    const last = watching(path, { turns: 1, viewer: new LogWindow(path, sessions) })
    expect((await until(last, 'turn_start')).at(-1)).toMatchObject({ prompt: 'session forked' })
    await last.return()
  })

  test('a file that was cut or replaced is read from its start', async () => {
    const path = newFile(lines.join(''))
    const iterator = watching(path)
    await until(iterator, 'session_start')
    const other = newFile(recorded('forked').join(''))
    renameSync(other, path)
    expect((await until(iterator, 'turn_start')).at(-1)).toMatchObject({ prompt: 'session first' })
    await iterator.return()
  })

  test('a file that was rewritten and begins as before emits only what is new', async () => {
    const path = newFile(lines.join(''))
    const iterator = watching(path)
    await until(iterator, 'session_start')
    const more = {
      type: 'user',
      uuid: 'z',
      timestamp: '2026-11-15T20:00:00Z',
      message: { role: 'user', content: 'more' },
    }
    renameSync(newFile(`${lines.join('')}${JSON.stringify(more)}\n`), path)
    expect(brief(await until(iterator, 'turn_start'))).toEqual(['turn_start'])
    await iterator.return()
  })

  test('what is appended is emitted at once, also after the file was replaced, twice', async () => {
    const path = newFile(lines.join(''))
    const iterator = watching(path, { pollMs: 60_000 })
    await until(iterator, 'session_start')
    for (let round = 0; round < 3; round++) {
      const prompt = { type: 'user', uuid: `r${round}`, timestamp: '2026-11-15T20:00:00Z' }
      const line = `${JSON.stringify({ ...prompt, message: { role: 'user', content: `round ${round}` } })}\n`
      setTimeout(() => appendFileSync(path, line), 50)
      const started = performance.now()
      expect((await until(iterator, 'turn_start')).at(-1)).toMatchObject({ prompt: `round ${round}` })
      expect(performance.now() - started).toBeLessThan(5000) // it would be a minute without a sign
      renameSync(newFile(readFileSync(path, 'utf8')), path)
    }
    await iterator.return()
  }, 30_000)

  test('many at once leave nothing open, and do nothing while nothing happens', async () => {
    const before = filesWatched()
    const all = Array.from({ length: 200 }, () => watching(newFile(lines.join('')), { pollMs: 60_000 }))
    await Promise.all(all.map((iterator) => until(iterator, 'session_start')))
    if (process.platform === 'linux') expect(filesWatched()).toBe(before + 200)
    const stop = new AbortController()
    const path = newFile(lines.join(''))
    const quiet = watching(path, { pollMs: 1000, signal: stop.signal })
    await until(quiet, 'session_start')
    const ended = until(quiet, 'session_end')
    const { user } = process.cpuUsage()
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(process.cpuUsage().user - user).toBeLessThan(750_000)
    stop.abort()
    await ended
    await quiet.return()
    await Promise.all(all.map((iterator) => iterator.return()))
    expect(filesWatched()).toBe(before)
  }, 30_000)

  test('an abort ends it', async () => {
    const path = newFile(lines.join(''))
    const stop = new AbortController()
    const iterator = watching(path, { signal: stop.signal, pollMs: 60_000 })
    await until(iterator, 'session_start')
    setTimeout(() => stop.abort(), 20)
    expect(brief(await until(iterator, 'session_end'))).toEqual(['session_end'])
  })

  test('a session that is not there throws', async () => {
    await expect(watching(join(directory, 'none.jsonl')).next()).rejects.toThrow('ENOENT')
  })
})

test('a large log is looked at from its end only, and emits each turn once', async () => {
  const turn = (n: number) => [
    `${JSON.stringify({ type: 'user', uuid: `u${n}`, timestamp: '2026-11-15T10:00:00Z', message: { role: 'user', content: `turn ${n}` } })}\n`,
    `${JSON.stringify({ type: 'assistant', uuid: `a${n}`, timestamp: '2026-11-15T10:00:01Z', message: { id: `m${n}`, role: 'assistant', model: 'x', content: [{ type: 'text', text: `answer ${n} ${'x'.repeat(20_000)}` }] } })}\n`,
  ]
  const path = newFile([lines[0] ?? '', ...Array.from({ length: 400 }, (_, n) => turn(n)).flat()].join('')) // 8 MB
  const viewer = new LogWindow(path, sessions)
  const first = await viewer.look(1)
  expect(first?.messages.length).toBeLessThan(40)
  expect(first?.messages.at(-1)?.content).toContain('answer 399')
  const seen: string[] = []
  let known = first?.messages.length ?? 0
  let dropped = 0
  for (let n = 400; n < 700; n += 20) {
    appendFileSync(
      path,
      Array.from({ length: 20 }, (_, k) => turn(n + k))
        .flat()
        .join(''),
    )
    const view = await viewer.look()
    dropped += view?.dropped ?? 0
    known -= view?.dropped ?? 0
    seen.push(...(view?.messages.slice(known).map(({ content }) => content.slice(0, 10).trim()) ?? []))
    known = view?.messages.length ?? 0
    expect(known).toBeLessThan(300)
  }
  expect(dropped).toBeGreaterThan(100)
  expect(seen).toEqual(Array.from({ length: 300 }, (_, k) => [`turn ${k + 400}`, `answer ${k + 400}`]).flat())
  expect(await viewer.look()).toBeNull()
})

test('a document that is rewritten each time is read whole', async () => {
  const path = newFile('[]')
  let messages = [{ role: 'user' as const, content: 'one' }]
  const viewer = new WholeView([path], async () => ({ messages }))
  const iterator = watching(path, { viewer, pollMs: 20 })
  await until(iterator, 'session_start')
  messages = [...messages, { role: 'user', content: 'two' }]
  writeFileSync(path, '[1]')
  expect((await until(iterator, 'turn_start')).at(-1)).toMatchObject({ prompt: 'two', turnIndex: 0 })
  rmSync(path)
  expect(brief(await until(iterator, 'session_end')).at(-1)).toBe('session_end')
})
