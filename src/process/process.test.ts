import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { bareAdapter } from '../../test/support/adapters.ts'
import { collect, temporaryDirectory, testClient } from '../../test/support/client.ts'
import { isAlive, sendSignal } from '../../test/support/processes.ts'
import { until } from '../../test/support/until.ts'
import { agentEnvironment } from './environment.ts'
import { findBinary } from './find-binary.ts'
import { nextLook, processesOfRun } from './process-table.ts'
import { ProcessTree } from './process-tree.ts'
import { runCommand } from './run-command.ts'

describe('agentEnvironment', () => {
  const processEnv = {
    ...{
      HOME: '/home/me',
      PATH: '/bin',
      LC_ALL: 'C',
      LANG: 'C',
      https_proxy: 'p',
      XDG_CONFIG_HOME: '/x',
      TERM: 'xterm',
    },
    ...{ NODE_OPTIONS: '--require evil', NODE_TLS_REJECT_UNAUTHORIZED: '0', AWS_SECRET_ACCESS_KEY: 's' },
    ...{ GITHUB_TOKEN: 's', OTHER_API_KEY: 's', LD_PRELOAD: 'x', MINE_A: '1', MINE_B: '2', NAMED: '3' },
    UNSET: undefined,
  }
  const env = (extra: { passEnv?: string[]; set?: Record<string, string>[] } = {}) =>
    agentEnvironment({ processEnv, passEnv: extra.passEnv ?? [], set: extra.set ?? [], runId: 'r1' })

  test('has what is allowed, and none of the rest', () => {
    expect(env()).toEqual({
      ...{
        HOME: '/home/me',
        PATH: '/bin',
        LC_ALL: 'C',
        LANG: 'C',
        https_proxy: 'p',
        XDG_CONFIG_HOME: '/x',
        TERM: 'xterm',
      },
      AGENT_MUX_RUN_ID: 'r1',
    })
  })

  test('adds what the agent or the caller names, by name or prefix', () => {
    expect(env({ passEnv: ['MINE_*', 'NAMED', 'UNSET'] })).toMatchObject({ MINE_A: '1', MINE_B: '2', NAMED: '3' })
    expect(env({ passEnv: ['MINE_*'] })).not.toHaveProperty('GITHUB_TOKEN')
    expect(env({ passEnv: ['UNSET'] })).not.toHaveProperty('UNSET')
  })

  test('values set win, later over earlier, but never over the marker', () => {
    const set: Record<string, string>[] = [
      { A: '1', PATH: '/a' },
      { A: '2', AGENT_MUX_RUN_ID: 'forged' },
    ]
    expect(env({ set })).toMatchObject({ A: '2', PATH: '/a', AGENT_MUX_RUN_ID: 'r1' })
  })

  test('is what the agent really gets', async () => {
    const script = `console.log(JSON.stringify({ type: 'debug', level: 'info', message: JSON.stringify(process.env) }))`
    const mux = testClient([bareAdapter('fake', { args: ['-e', script], env: { FROM_ADAPTER: '1' } })])
    vi.stubEnv('SOME_SECRET', 'x')
    vi.stubEnv('NODE_OPTIONS', '--no-warnings')
    onTestFinished(() => void vi.unstubAllEnvs())
    const handle = mux.run({ agent: 'fake', prompt: 'x', env: { FROM_CALLER: '2' } })
    const { events } = await collect(handle)
    const reported = events.find((event) => event.type === 'debug')
    const seen = JSON.parse(reported?.type === 'debug' ? reported.message : '{}')
    expect(seen).toMatchObject({
      FROM_ADAPTER: '1',
      FROM_CALLER: '2',
      AGENT_MUX_RUN_ID: handle.runId,
      PATH: process.env.PATH,
    })
    expect(seen).not.toHaveProperty('SOME_SECRET')
    expect(Object.keys(seen).filter((name) => /^(NODE_(?!EXTRA_CA)|VITEST)/.test(name))).toEqual([])
  })
})

describe('findBinary', () => {
  test('takes the first executable file on PATH', () => {
    const directory = temporaryDirectory()
    const [a, b, c] = ['a', 'b', 'c'].map((name) => join(directory, name))
    for (const path of [a, b, c]) mkdirSync(path ?? '')
    mkdirSync(join(directory, 'a', 'tool')) // a directory is not a program
    writeFileSync(join(directory, 'b', 'tool'), '') // nor is a file that may not be run
    chmodSync(join(directory, 'b', 'tool'), 0o644)
    writeFileSync(join(directory, 'c', 'tool'), '', { mode: 0o755 })
    const PATH = [a, b, '', c].join(delimiter)
    expect(findBinary('tool', { PATH })).toBe(join(directory, 'c', 'tool'))
    symlinkSync(join(directory, 'c', 'tool'), join(directory, 'a', 'linked'))
    expect(findBinary('linked', { PATH })).toBe(join(directory, 'a', 'linked'))
    expect(findBinary('other', { PATH })).toBeNull()
    expect(findBinary('tool', {})).toBeNull()
    expect(findBinary(join(directory, 'c', 'tool'), {})).toBe(join(directory, 'c', 'tool'))
    expect(findBinary('./no/such', { PATH })).toBeNull()
  })
})

describe('runCommand', () => {
  test('gives code and output, and rejects when there is no such command', async () => {
    const script = 'console.log("out"); console.error("err"); process.exitCode = 3'
    expect(await runCommand(process.execPath, ['-e', script])).toEqual({ code: 3, stdout: 'out\n', stderr: 'err\n' })
    await expect(runCommand('/no/such', [])).rejects.toThrow('ENOENT')
  })

  test('is not kept waiting for input', async () => {
    expect(await runCommand('cat', [])).toMatchObject({ code: 0, stdout: '' })
  })
})

describe('files of a run', () => {
  test('are there for the agent only, private, and gone after it', async () => {
    const script = `const fs = require('fs'); const path = process.argv[1]
      console.log(JSON.stringify({ type: 'debug', level: 'info', message: [path, process.env.CONF, fs.readFileSync(path, 'utf8')].join('|') }))`
    const mux = testClient([
      bareAdapter('fake', {
        args: ['-e', script, '{file:conf.json}'],
        env: { CONF: 'at {file:conf.json}, not {file:other}' },
        files: [{ name: 'conf.json', content: 'secret' }],
      }),
    ])
    const handle = mux.run({ agent: 'fake', prompt: 'x' })
    let mode = 0
    handle.on('debug', ({ message }) => {
      mode = statSync(message.split('|')[0] ?? '').mode & 0o777
    })
    const { events } = await collect(handle)
    const reported = events.find((event) => event.type === 'debug')
    const [path = '', conf, content] = reported?.type === 'debug' ? reported.message.split('|') : []
    expect([conf, content]).toEqual([`at ${path}, not {file:other}`, 'secret'])
    expect(mode).toBe(0o600)
    expect(existsSync(path)).toBe(false)
  })
})

describe('the secret of a process', () => {
  test('is random, only where its name is the whole value, and in the environment only', async () => {
    const script = `console.log(JSON.stringify({ type: 'debug', level: 'info', message: [process.env.A, process.env.B, process.argv[1]].join('|') }))`
    const env = { A: '{secret}', B: 'no {secret}' }
    const mux = testClient([bareAdapter('fake', { args: ['-e', script, '{secret}'], env })])
    const secrets = await Promise.all(
      [1, 2].map(async () => {
        const { events } = await collect(mux.run({ agent: 'fake', prompt: 'x' }))
        const reported = events.find((event) => event.type === 'debug')
        return reported?.type === 'debug' ? reported.message.split('|') : []
      }),
    )
    const [[first = '', ...others] = [], [second = ''] = []] = secrets
    expect(others).toEqual(['no {secret}', '{secret}'])
    expect(first).toMatch(/^[\w-]{32}$/)
    expect(second).not.toBe(first)
  })
})

describe('ProcessTree', () => {
  const sleeper = (env: Record<string, string>, detached: boolean) => {
    const child = spawn('sleep', ['300'], { detached, env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' })
    return child.pid ?? 0
  }

  test('ends its own and nobody else', async () => {
    const own = sleeper({ AGENT_MUX_RUN_ID: 'tree-1' }, true)
    const stray = sleeper({ AGENT_MUX_RUN_ID: 'tree-1' }, true)
    const other = sleeper({ AGENT_MUX_RUN_ID: 'tree-2' }, true)
    const tree = new ProcessTree(own, 'tree-1')
    await until('all have started', () => processesOfRun('tree-1').length === 2)
    await tree.end(1000)
    tree.stopWatching()
    expect([own, stray, other].map(isAlive)).toEqual([false, false, true])
    sendSignal(other, 'SIGTERM')
    await until('the other is gone', () => !isAlive(other))
  })

  test('an agent leaves before its tools are ended, whose end it would take for their result', async () => {
    const log = join(temporaryDirectory(), 'log')
    const tool = `trap 'echo tool ended >> $LOG; exit' TERM; echo ready >> $LOG; while :; do sleep 0.05; done`
    const agent = `trap 'sleep 0.1; echo agent left >> $LOG; exit' TERM; sh -c "$TOOL" & while :; do wait; done`
    const env = { PATH: process.env.PATH, AGENT_MUX_RUN_ID: 'tree-5', LOG: log, TOOL: tool }
    const child = spawn('sh', ['-c', agent], { detached: true, env, stdio: 'ignore' })
    const tree = new ProcessTree(child.pid ?? 0, 'tree-5')
    await until('its tool runs', () => existsSync(log))
    await tree.end(5000)
    tree.stopWatching()
    expect(readFileSync(log, 'utf8')).toBe('ready\nagent left\ntool ended\n')
  })

  test('who looks at the same time shares one look, and that is later than what each has done before', async () => {
    const first = nextLook()
    const own = sleeper({ AGENT_MUX_RUN_ID: 'tree-3', HOME: '/höme' }, true)
    const second = nextLook()
    expect(await second).toBe(await first)
    expect((await first).rows.map(({ pid }) => pid)).toContain(own)
    expect(await nextLook()).not.toBe(await first)
    const marks = [['AGENT_MUX_RUN_ID=tree-3', 'HOME=/höme']]
    await until('its environment', async () => (await nextLook()).with(marks).includes(own))
    sendSignal(own, 'SIGTERM')
    await until('it is gone', () => !isAlive(own))
  })

  test('reads its own marker in the environment it was started with', () => {
    expect(readFileSync(`/proc/${process.pid}/environ`, 'latin1')).not.toContain('AGENT_MUX_RUN_ID=tree-1')
    expect(processesOfRun('tree-1')).toEqual([])
  })
})
