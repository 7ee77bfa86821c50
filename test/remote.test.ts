import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AgentEvent } from '../src/contract/events.ts'
import type { RunHandle, RunResult } from '../src/contract/run-handle.ts'
import type { RunOptions } from '../src/contract/run-options.ts'
import { quoteWord } from '../src/core/command-line.ts'
import { createClientIn } from '../src/mux/client.ts'
import { processesOfRun } from '../src/process/process-table.ts'
import { buildCli } from './support/built-cli.ts'
import { findSshd, startSshd } from './support/sshd.ts'
import { until } from './support/until.ts'

// One agent-mux that runs an agent on another one: the real CLI, built, as a child and at the other end of a real sshd.
const scratch = mkdtempSync(join(tmpdir(), 'amux-remote-'))
const home = join(scratch, 'home')
const far = join(scratch, 'far')
let cli = ''
let path = ''

beforeAll(() => {
  for (const directory of [home, far]) mkdirSync(directory)
  const built = buildCli(scratch)
  cli = built.cli
  path = [built.agents, process.env.PATH].join(delimiter)
  symlinkSync(cli, join(built.agents, 'amux'))
})

afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }))

type During = (event: AgentEvent, handle: RunHandle) => void

interface Seen {
  events: AgentEvent[]
  result: RunResult
}

const client = () => {
  const env = { HOME: home, PATH: path, LANG: 'C.UTF-8' }
  return createClientIn(env, { configDir: join(home, 'settings'), projectConfigDir: join(home, 'project-settings') })
}

async function follow(handle: RunHandle, during: During = () => {}): Promise<Seen> {
  const events: AgentEvent[] = []
  for await (const event of handle) {
    events.push(event)
    during(event, handle)
  }
  return { events, result: await handle }
}

/** What both sides must agree on. */
const essence = ({ events }: Seen) =>
  events.map((event) => {
    const { runId: _runId, agent: _agent, timestamp: _time, ...rest } = event
    return 'durationMs' in rest ? { ...rest, durationMs: 0 } : rest
  })

/** The checks that must hold however the other side is reached. */
function behaves(command: () => string): void {
  const start = (options: Partial<RunOptions> & { prompt: string }) =>
    client().run({
      agent: 'agent-mux-remote',
      cwd: far,
      timeout: 60_000,
      ...options,
      env: { AMUX_REMOTE_COMMAND: command(), AMUX_REMOTE_CWD: far, ...options.env },
    })

  test('the events of a run over there are those of the same run here', async () => {
    const remote = await follow(start({ prompt: 'tool' }))
    const local = await follow(client().run({ agent: 'claude', prompt: 'tool', cwd: far }))
    expect(essence(remote)).toEqual(essence(local))
    expect(
      remote.events.every(({ agent, runId }) => agent === 'agent-mux-remote' && runId === remote.result.runId),
    ).toBe(true)
    const facts = ({
      result: { outcome, text, sessionId, model, cost, tokenUsage, usageByModel, turnCount },
    }: Seen) => ({
      ...{ outcome, text, sessionId, model, cost, tokenUsage, usageByModel, turnCount },
    })
    expect(facts(remote)).toEqual(facts(local))
    expect(remote.result).toMatchObject({ outcome: { kind: 'completed' }, turnCount: 1, unrecognized: {} })
  })

  test('several turns', async () => {
    let sent = false
    const { result } = await follow(start({ prompt: 'say one' }), (event, handle) => {
      if (event.type !== 'turn_end' || sent) return
      sent = true
      void handle.send('say "two" $HOME \u2028 `id`')
    })
    expect(result).toMatchObject({ outcome: { kind: 'completed' }, turnCount: 2 })
    expect(result.text).toBe('You said: say "two" $HOME \u2028 `id`')
  })

  test('an approval that is granted, told once', async () => {
    const { events, result } = await follow(start({ prompt: 'ask' }), (event, handle) => {
      if (event.type === 'approval_request') void handle.approve()
    })
    expect(result).toMatchObject({ outcome: { kind: 'completed' }, text: 'File made.' })
    expect(events.filter(({ type }) => type === 'approval_granted')).toHaveLength(1)
  })

  test('an approval that is denied', async () => {
    const onApprovalRequest = () => 'deny' as const
    const { events, result } = await follow(start({ prompt: 'ask', onApprovalRequest }))
    expect(result.outcome).toMatchObject({ kind: 'permission_blocked', tools: ['Bash'] })
    expect(events.filter(({ type }) => type === 'approval_denied')).toHaveLength(1)
  })

  test('what the other side settles is not asked here', async () => {
    let asked = 0
    const onApprovalRequest = () => {
      asked += 1
      return 'approve' as const
    }
    const { events, result } = await follow(start({ prompt: 'denied', onApprovalRequest }))
    expect(asked).toBe(0)
    expect(result.outcome.kind).toBe('permission_blocked')
    expect(events.filter(({ type }) => type === 'approval_granted')).toHaveLength(0)
  })

  test('a question', async () => {
    const { events, result } = await follow(start({ prompt: 'question', onInputRequired: () => 'blue' }))
    expect(events.some((event) => event.type === 'input_required' && event.question === 'Which colour?')).toBe(true)
    expect(result.outcome.kind).toBe('completed')
    expect(result.text).toContain('blue')
  })

  test('an interrupt, and another turn after it', async () => {
    let state = 'running'
    const { result } = await follow(start({ prompt: 'slow' }), (event, handle) => {
      if (event.type === 'text_delta' && state === 'running') {
        state = 'interrupted'
        void handle.interrupt()
      } else if (event.type === 'turn_end' && state === 'interrupted') {
        state = 'sent'
        void handle.send('say more')
      }
    })
    expect(result).toMatchObject({ outcome: { kind: 'completed' }, turnCount: 2, text: 'You said: say more' })
  })

  test('an abort leaves nothing, not even over there', async () => {
    let pid = 0
    const handle = start({ prompt: 'slow', gracePeriodMs: 2000 })
    const { result } = await follow(handle, (event) => {
      if (event.type !== 'text_delta') return
      pid ||= Number(/child (\d+)/.exec(event.delta)?.[1] ?? 0)
      void handle.abort()
    })
    expect(result).toMatchObject({ outcome: { kind: 'cancelled' }, exitReason: 'aborted' })
    expect(pid).toBeGreaterThan(0)
    await until('all is gone', () => !isAlive(pid) && processesOfRun(result.runId).length === 0)
  })

  test('a crash over there', async () => {
    const { events, result } = await follow(start({ prompt: 'crash' }))
    expect(result.outcome).toMatchObject({ kind: 'crashed', evidence: 'exit code 3: fatal: out of cheese' })
    expect(events.filter(({ type }) => type === 'crash')).toHaveLength(1)
  })

  test('a run that stays open', async () => {
    const handle = start({ prompt: 'say one', keepOpen: true })
    let turns = 0
    const { result } = await follow(handle, (event) => {
      if (event.type !== 'turn_end') return
      turns += 1
      if (turns === 1) setTimeout(() => void handle.send('say two'), 200)
      else void handle.close()
    })
    expect(result).toMatchObject({ outcome: { kind: 'completed' }, turnCount: 2, text: 'You said: say two' })
  })

  test('a refusal keeps its code', async () => {
    const unknown = await start({ prompt: 'x', env: { AMUX_REMOTE_AGENT: 'nobody' } })
    expect(unknown.outcome).toMatchObject({ kind: 'failed', code: 'UNKNOWN_AGENT' })
    const unable = await start({ prompt: 'x', sessionId: 'a', env: { AMUX_REMOTE_AGENT: 'openclaw' } })
    expect(unable.outcome).toMatchObject({ kind: 'failed', code: 'CAPABILITY_ERROR' })
  })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('as a child', () => behaves(() => [process.execPath, cli].map(quoteWord).join(' ')))

test('a way that leads nowhere', async () => {
  const result = await client().run({
    ...{ agent: 'agent-mux-remote', prompt: 'x', cwd: far },
    env: { AMUX_REMOTE_COMMAND: `sh -c 'echo no route >&2; exit 255'` },
  })
  expect(result.outcome).toMatchObject({ kind: 'crashed', evidence: 'exit code 255: no route' })
})

const sshd = findSshd()
describe.skipIf(sshd === null)(
  `through a real sshd${sshd === null ? ' (none on this machine: install openssh-server)' : ''}`,
  () => {
    let ssh = ''
    beforeAll(async () => {
      const server = await startSshd(sshd ?? '', join(scratch, 'ssh'))
      ssh = server.command
      return () => server.stop()
    })
    // The shell on the other side takes a layer of quotes off, too.
    const there = (word: string) => quoteWord(quoteWord(word))
    behaves(() => `${ssh} PATH=${there(path)} HOME=${there(home)} ${there(process.execPath)} ${there(cli)}`)
  },
)

test('a way that does not begin with amux needs no amux here, but what it does begin with', () => {
  const here = createClientIn({ HOME: home, PATH: '' })
  const go = (line?: string) =>
    here.check({ agent: 'agent-mux-remote', prompt: 'x', env: line === undefined ? {} : { AMUX_REMOTE_COMMAND: line } })
  expect(() => go()).toThrow('no `amux` on PATH')
  expect(() => go('no-such-ssh -T box amux')).toThrow('no `no-such-ssh` on PATH')
  expect(() => go(`${process.execPath} box amux`)).not.toThrow()
})
