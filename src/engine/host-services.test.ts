import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import type { HostRequest } from '../contract/dialogue.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { ulid } from '../core/ulid.ts'
import { openWritable } from '../files/sqlite.ts'
import { here } from '../process/here.ts'
import { processesOfRun } from '../process/process-table.ts'
import { HostServices } from './host-services.ts'

function setUp(options: Partial<RunOptions> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'amux-host-'))
  const cwd = join(home, 'project')
  mkdirSync(cwd)
  const runId = ulid(Date.now())
  const processEnv = { PATH: process.env.PATH, HOME: home, SECRET_OF_ANOTHER: 'no' }
  const host = new HostServices({ runId, options: { prompt: '', cwd, ...options }, processEnv, place: here })
  onTestFinished(async () => {
    await host.close()
    rmSync(home, { recursive: true, force: true })
  })
  return { host, home, cwd, runId }
}

const terminal = (command: string, extra: Partial<Extract<HostRequest, { type: 'terminal_create' }>> = {}) => ({
  ...({ type: 'terminal_create', terminalId: 't1', command, args: [], env: {} } satisfies HostRequest),
  ...extra,
})
const about = (type: 'terminal_output' | 'terminal_wait' | 'terminal_kill' | 'terminal_release') =>
  ({ type, terminalId: 't1' }) as const

const saidSomething = (host: HostServices) =>
  until('it has said something', async () => {
    const state = await host.perform(about('terminal_output'))
    return state.type === 'output' && state.output !== ''
  })

describe('files', () => {
  test('reads a file, or some of its lines', async () => {
    const { host, cwd } = setUp()
    writeFileSync(join(cwd, 'a.txt'), 'one\ntwo\nthree\n')
    const path = join(cwd, 'a.txt')
    expect(await host.perform({ type: 'read_text_file', path })).toEqual({ type: 'text', content: 'one\ntwo\nthree\n' })
    const part = await host.perform({ type: 'read_text_file', path, line: 2, limit: 1 })
    expect(part).toEqual({ type: 'text', content: 'two' })
  })

  test('distinguishes a missing file from a refused one', async () => {
    const { host, cwd, home } = setUp()
    writeFileSync(join(home, 'secret'), 'x')
    const missing = await host.perform({ type: 'read_text_file', path: join(cwd, 'none') })
    expect(missing).toMatchObject({ type: 'error', reason: 'not_found' })
    for (const path of [join(home, 'secret'), '../secret', '/etc/passwd', join(cwd, '..', 'secret')]) {
      const result = await host.perform({ type: 'read_text_file', path })
      expect(result).toMatchObject({ type: 'error', reason: 'refused' })
    }
  })

  test('follows no link out of the workspace, to read or to write', async () => {
    const { host, cwd, home } = setUp()
    writeFileSync(join(home, 'secret'), 'x')
    symlinkSync(join(home, 'secret'), join(cwd, 'link'))
    symlinkSync(home, join(cwd, 'folder'))
    symlinkSync(join(home, 'not-there'), join(cwd, 'dangling'))
    for (const name of ['link', 'folder/secret', 'folder/new', 'dangling']) {
      const result = await host.perform({ type: 'write_text_file', path: join(cwd, name), content: 'y' })
      expect(result).toMatchObject({ type: 'error', reason: 'refused' })
    }
    expect(await host.perform({ type: 'read_text_file', path: join(cwd, 'link') })).toMatchObject({ reason: 'refused' })
    expect(readFileSync(join(home, 'secret'), 'utf8')).toBe('x')
    expect(existsSync(join(home, 'not-there'))).toBe(false)
  })

  test('a folder whose name begins like the workspace is not in it', async () => {
    const { host, home } = setUp()
    mkdirSync(join(home, 'project-two'))
    const path = join(home, 'project-two', 'a')
    expect(await host.perform({ type: 'write_text_file', path, content: '' })).toMatchObject({ reason: 'refused' })
  })

  test('writes below the workspace and the added directories, and makes folders', async () => {
    const { home } = setUp()
    const extra = join(home, 'extra')
    mkdirSync(extra)
    const { host, cwd } = setUp({ addDirs: [extra] })
    for (const path of [join(cwd, 'new', 'deep', 'a.txt'), join(extra, 'b.txt')]) {
      expect(await host.perform({ type: 'write_text_file', path, content: 'text' })).toEqual({ type: 'done' })
      expect(readFileSync(path, 'utf8')).toBe('text')
    }
  })

  test('mode deny writes and runs nothing', async () => {
    const { host, cwd } = setUp({ approvalMode: 'deny' })
    const write = await host.perform({ type: 'write_text_file', path: join(cwd, 'a'), content: '' })
    expect(write).toMatchObject({ type: 'error', reason: 'refused' })
    expect(await host.perform(terminal('touch b'))).toMatchObject({ type: 'error', reason: 'refused' })
    await sleep(50)
    expect([existsSync(join(cwd, 'a')), existsSync(join(cwd, 'b'))]).toEqual([false, false])
  })

  test('reads no pipe and no directory', async () => {
    const { host, cwd } = setUp()
    expect(await host.perform({ type: 'read_text_file', path: cwd })).toMatchObject({ type: 'error', reason: 'failed' })
  })
})

describe('files that the agent keeps itself', () => {
  const own = (path: string) => ({ type: 'read_own_file', variable: 'X_HOME', home: '.x', path }) as const

  test('below its home, also where a part of the path is not known', async () => {
    const { host, home } = setUp()
    mkdirSync(join(home, '.x', 'sessions', 'some_hash', 'id'), { recursive: true })
    mkdirSync(join(home, '.x', 'sessions', 'another'))
    writeFileSync(join(home, '.x', 'sessions', 'some_hash', 'id', 'log'), 'words')
    expect(await host.perform(own('sessions/*/id/log'))).toEqual({ type: 'text', content: 'words' })
    expect(await host.perform(own('sessions/some_hash/id/log'))).toEqual({ type: 'text', content: 'words' })
    expect(await host.perform(own('sessions/*/other/log'))).toMatchObject({ type: 'error', reason: 'not_found' })
  })

  test('the newest where the name is known in part', async () => {
    const { host, home } = setUp()
    const folder = join(home, '.x', 'chats')
    mkdirSync(folder, { recursive: true })
    for (const [name, seconds] of [
      ['session-1-abc.jsonl', 1],
      ['session-2-abc.jsonl', 3],
      ['session-3-abd.jsonl', 5],
    ] as const) {
      writeFileSync(join(folder, name), name)
      utimesSync(join(folder, name), seconds, seconds)
    }
    expect(await host.perform(own('chats/session-*-abc.jsonl'))).toMatchObject({ content: 'session-2-abc.jsonl' })
  })

  test('a database answers with its rows', async () => {
    const { host, home } = setUp()
    mkdirSync(join(home, '.x'))
    const database = await openWritable(join(home, '.x', 'a.db'))
    database.exec("CREATE TABLE message (id TEXT, n INTEGER); INSERT INTO message VALUES ('a', 1), ('b', 2), ('b', 3)")
    database.close()
    const query = { sql: 'SELECT * FROM message WHERE id = ? ORDER BY n', values: ['b'] }
    const content = '{"id":"b","n":2}\n{"id":"b","n":3}'
    expect(await host.perform({ ...own('a.db'), query })).toEqual({ type: 'text', content })
    const bad = { sql: 'SELECT * FROM nothing', values: [] }
    expect(await host.perform({ ...own('a.db'), query: bad })).toMatchObject({ type: 'error', reason: 'failed' })
  })

  test('not outside of it, and where its variable says', async () => {
    const { home } = setUp()
    mkdirSync(join(home, 'moved'))
    mkdirSync(join(home, '.x'))
    writeFileSync(join(home, 'moved', 'log'), 'moved words')
    writeFileSync(join(home, 'secret'), 'x')
    const { host } = setUp({ env: { X_HOME: join(home, 'moved') } })
    expect(await host.perform(own('log'))).toEqual({ type: 'text', content: 'moved words' })
    expect(await host.perform(own('../secret'))).toMatchObject({ type: 'error', reason: 'not_found' })
  })
})

describe('terminals', () => {
  test('runs a line for a shell, or a program with arguments', async () => {
    const { host } = setUp()
    expect(await host.perform(terminal('echo one; echo two >&2; exit 3'))).toEqual({ type: 'done' })
    expect(await host.perform(about('terminal_wait'))).toEqual({ type: 'exit', exit: { exitCode: 3, signal: null } })
    const state = await host.perform(about('terminal_output'))
    expect(state).toMatchObject({ type: 'output', truncated: false, exit: { exitCode: 3 } })
    expect(state.type === 'output' && state.output.split('\n').sort()).toEqual(['', 'one', 'two'])
    await host.perform(terminal('echo', { terminalId: 't2', args: ['$HOME', ';', 'id'] }))
    await host.perform({ type: 'terminal_wait', terminalId: 't2' })
    const plain = await host.perform({ type: 'terminal_output', terminalId: 't2' })
    expect(plain).toMatchObject({ output: '$HOME ; id\n' })
  })

  test('has the allow-listed environment and the mark of the run', async () => {
    const { host, runId } = setUp({ env: { MINE: 'yes' } })
    const env = { ASKED: 'too', AGENT_MUX_RUN_ID: 'forged' }
    await host.perform(terminal('echo "$SECRET_OF_ANOTHER|$MINE|$ASKED|$AGENT_MUX_RUN_ID"', { env }))
    await host.perform(about('terminal_wait'))
    expect(await host.perform(about('terminal_output'))).toMatchObject({ output: `|yes|too|${runId}\n` })
  })

  test('keeps the newest output up to its limit, never half a character', async () => {
    const { host } = setUp()
    await host.perform(terminal("printf 'aaaa\\303\\274bbb'", { outputByteLimit: 4 }))
    await host.perform(about('terminal_wait'))
    expect(await host.perform(about('terminal_output'))).toMatchObject({ output: 'bbb', truncated: true })
  })

  test('does not start outside the workspace', async () => {
    const { host } = setUp()
    expect(await host.perform(terminal('pwd', { cwd: '/' }))).toMatchObject({ type: 'error', reason: 'refused' })
  })

  test('a command that does not exist exits with 127', async () => {
    const { host } = setUp()
    await host.perform(terminal('amux-no-such-program', { args: ['x'] }))
    expect(await host.perform(about('terminal_wait'))).toMatchObject({ exit: { exitCode: 127 } })
  })

  test('kill ends the group and keeps the output; a released terminal is gone', async () => {
    const { host, runId } = setUp()
    await host.perform(terminal('echo before; sleep 60 & sleep 60'))
    await saidSomething(host)
    await host.perform(about('terminal_kill'))
    expect(await host.perform(about('terminal_output'))).toMatchObject({
      output: 'before\n',
      exit: { signal: 'SIGTERM' },
    })
    expect(processesOfRun(runId)).toEqual([])
    expect(await host.perform(about('terminal_release'))).toEqual({ type: 'done' })
    expect(await host.perform(about('terminal_output'))).toMatchObject({ type: 'error', reason: 'not_found' })
  })

  test('close ends what still runs, also what ignores TERM, and starts nothing more', async () => {
    const { host, runId } = setUp()
    await host.perform(terminal("trap '' TERM; echo deaf; while :; do sleep 1; done"))
    const waiting = host.perform(about('terminal_wait'))
    await saidSomething(host)
    await host.close()
    expect(await waiting).toMatchObject({ type: 'exit', exit: { signal: 'SIGKILL' } })
    expect(processesOfRun(runId)).toEqual([])
    expect(await host.perform(terminal('true'))).toMatchObject({ type: 'error', reason: 'refused' })
  })
})
