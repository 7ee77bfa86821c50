import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { quoteWord } from '../src/core/command-line.ts'
import { buildCli } from './support/built-cli.ts'
import { until } from './support/until.ts'

// The built CLI on sessions that real CLIs wrote, copied into a scratch home.
const scratch = mkdtempSync(join(tmpdir(), 'amux-sessions-cli-'))
const home = join(scratch, 'home')
const work = join(scratch, 'work')
let cli = ''
let agents = ''

const CLAUDE = 'db77040f-4b1e-45d9-acbc-39a1e43ae519'
const OTHER = 'db77140f-4b1e-45d9-acbc-39a1e43ae520'
const claudeFile = (id: string) => join(home, `.claude/projects/-workspace/${id}.jsonl`)

function place(fixture: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  cpSync(fileURLToPath(new URL(`../src/adapters/${fixture}`, import.meta.url)), path)
}

beforeAll(() => {
  const built = buildCli(scratch)
  cli = built.cli
  agents = built.agents
  mkdirSync(work)
  place('claude/fixtures/sessions/tool.jsonl', claudeFile(CLAUDE))
  place('claude/fixtures/sessions/forked.jsonl', claudeFile(OTHER))
  for (const name of ['s-resume', 's-fork', 'c-patch-ws']) {
    place(`codex/fixtures/sessions/${name}.jsonl`, join(home, `.codex/sessions/2026/11/15/rollout-${name}.jsonl`))
  }
}, 120_000)
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const environment = (path = '') => ({
  HOME: home,
  PATH: [path, dirname(process.execPath), '/usr/bin', '/bin'].filter((part) => part !== '').join(':'),
  TZ: 'UTC',
})

function amux(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd: work,
    env: environment(),
    encoding: 'utf8',
    input: '',
  })
  return { status, stdout, stderr }
}

const json = (...args: string[]) => JSON.parse(amux(...args, '--json').stdout).data

describe('list', () => {
  test('all agents, newest first, in a table', () => {
    const { status, stdout, stderr } = amux('sessions')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const [header, ...rows] = stdout.trimEnd().split('\n')
    expect(header).toMatch(/^ID +UPDATED +TITLE +PROJECT +MODEL +TURNS/)
    expect(rows).toHaveLength(5)
    expect(rows.at(-1)).toMatch(/^claude:db77040f .* run echo hi .* workspace .* claude-opus-5-5 +1/)
    expect(stdout).not.toContain('\u001b')
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
  })

  test('as JSON, with whether each can be resumed and why not', () => {
    const sessions = json('sessions', 'list', '--agent', 'claude')
    expect(sessions).toHaveLength(2)
    expect(sessions[1]).toMatchObject({
      unifiedId: `claude:${CLAUDE}`,
      resumable: false,
      reason: 'Claude Code is not installed: no `claude` on PATH',
    })
  })

  test.each([
    [['--since', '2026-11-15T19:00:00Z'], 3],
    [['--until', '2026-11-15T18:50:00Z'], 1],
    [['--project', '/workspace'], 5],
    [['--project', '/work'], 0],
    [['--model', 'gpt-5.5-codex'], 3],
    [['-n', '2'], 2],
    [['--agent', 'codex', '--sort', 'cost', '-r'], 3],
  ])('%j finds %i', (flags, count) => {
    expect(json('sessions', 'list', ...flags)).toHaveLength(count)
  })

  test.each([
    [['--since', 'soon'], '--since must be a time'],
    [['--limit', '0'], '--limit must be a number'],
    [['--sort', 'age'], '--sort must be one of date, cost, turns'],
    [['--agent', 'cluade'], 'Unknown agent "cluade"'],
    [['--sinse', '7d'], 'Unknown flag --sinse'],
  ])('%j is refused', (flags, message) => {
    const { status, stderr } = amux('sessions', 'list', ...flags)
    expect(status).toBeGreaterThan(0)
    expect(stderr).toContain(message)
  })
})

describe('search', () => {
  test('finds what was said, by whichever agent, and where', () => {
    expect(json('sessions', 'search', 'command', 'printed')).toMatchObject([{ unifiedId: `claude:${CLAUDE}` }])
    expect(json('sessions', 'search', 'mock', 'model').length).toBeGreaterThan(2)
    expect(amux('sessions', 'search', 'printed', '-c').stdout).toContain(
      'claude:db77040f  assistant: The command printed hi.',
    )
    expect(json('sessions', 'list', '--text', 'printed hi')).toHaveLength(1)
  })

  test('says when there is none', () => {
    expect(amux('sessions', 'search', 'zebra', 'crossing').stdout).toBe('No session has all of: zebra crossing\n')
    expect(amux('sessions', 'search').stderr).toContain('Search for what?')
    expect(amux('sessions', 'search', 'x', '-a', 'cluade').status).toBe(3)
  })
})

describe('one session', () => {
  test('is shown by a part of its id', () => {
    const { stdout } = amux('sessions', 'show', 'db770')
    expect(stdout).toContain('run echo hi\n  session    claude:db77040f')
    expect(stdout).toContain('cost       $0.0027')
    expect(stdout).toContain(
      '\n› run echo hi\n\nI will run a command.\n● Bash echo hi\n  hi\n\nThe command printed hi.\n',
    )
    expect(amux('sessions', 'show', 'db771', '--last', '1').stdout).not.toContain('session first\n\nHello')
  })

  test('an id that means several, or none, is refused with what to do', () => {
    expect(amux('sessions', 'show', 'db77')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`Write more of it: claude:${OTHER}, claude:${CLAUDE}`),
    })
    expect(amux('sessions', 'show', 'nope').status).toBe(8)
    expect(amux('sessions', 'show')).toMatchObject({ status: 2, stderr: expect.stringContaining('Which session?') })
  })

  test('is exported, by default to read', () => {
    expect(amux('sessions', 'export', 'db770').stdout).toContain('# run echo hi\n\n- agent: claude\n')
    const file = join(work, 'talk.jsonl')
    expect(amux('sessions', 'export', 'db770', '-o', file).stdout).toBe(`Wrote ${file}.\n`)
    expect(readFileSync(file, 'utf8').split('\n')[0]).toContain('"type":"session","version":1')
  })

  test('is compared with another', () => {
    const { stdout } = amux('sessions', 'diff', 'db770', 'db771')
    expect(stdout).toContain('- user: run echo hi\n+ user: session first\n')
    expect(json('sessions', 'diff', 'db770', 'db770').stats.unchanged).toBe(3)
  })
})

describe('cost', () => {
  test('of each agent, with a total', () => {
    const { stdout } = amux('cost', 'agent')
    expect(stdout).toMatch(/AGENT +MODELS +INPUT +OUTPUT +CACHE WRITE +CACHE READ +TOTAL +COST\n/)
    // Five requests of $0.00133: half a hundredth of a cent may be rounded either way.
    expect(stdout).toMatch(/claude +\S.* 125 .* 5,000 +[\d,]+ +\$0\.006[67]\n/)
    expect(stdout).toMatch(/^Total +/m)
  })

  test('by day unless asked, and by the words that people know', () => {
    expect(amux('cost').stdout).toMatch(/^DATE +MODELS.*\n─+\n2026-11-\d\d /)
    expect(amux('cost', 'monthly').stdout).toMatch(/^MONTH .*\n─+\n2026-11 /)
    expect(amux('cost', 'yearly').stderr).toContain('Unexpected argument "yearly"')
    expect(Object.keys(json('cost').breakdowns)).toContain('claude')
  })

  test.each(['agent', 'model', 'day', 'project', 'session'])('by %s adds up to the same', (group) => {
    const { breakdowns, inputTokens, totalUsd } = json('cost', '--by', group)
    const parts = Object.values<{ inputTokens: number; totalUsd: number }>(breakdowns)
    expect(parts.reduce((sum, part) => sum + part.inputTokens, 0)).toBe(inputTokens)
    expect(parts.reduce((sum, part) => sum + part.totalUsd, 0)).toBeCloseTo(totalUsd, 9)
  })

  test('a price of the user counts, and a model without one is told apart', () => {
    const prices = join(home, '.agent-mux/prices.json')
    writeFileSync(prices, '{"models": {"gpt-5.5-codex": {"input": 1000000, "output": 0}}}')
    expect(json('cost', '--agent', 'codex').totalUsd).toBeGreaterThan(1000)
    writeFileSync(prices, '{"models": {"x": {"input": "free"}}}')
    expect(amux('cost')).toMatchObject({
      status: 7,
      stderr: expect.stringContaining('"input" of "x" must be a number'),
    })
    rmSync(prices)
  })
})

test('tail follows a session while it is written, as events', async () => {
  const child: ChildProcess = spawn(process.execPath, [cli, 'sessions', 'tail', 'db771', '--json'], {
    cwd: work,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  await until('it is told', () => out.includes('"prompt":"session forked"'))
  const message = { role: 'user', content: 'and more' }
  const line = { type: 'user', uuid: 'x', timestamp: '2026-11-15T20:00:00Z', message }
  appendFileSync(claudeFile(OTHER), `${JSON.stringify(line)}\n`)
  await until('it is told', () => out.includes('"prompt":"and more"'))
  child.kill('SIGINT')
  const code = await new Promise((resolve) => child.once('exit', resolve))
  expect(code).toBe(0)
  const types = out
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text).type)
  expect(types[0]).toBe('session_start')
  expect(types.at(-1)).toBe('session_end')
}, 60_000)

describe('going on', () => {
  test('what cannot be resumed says why, and what can be done', () => {
    expect(amux('sessions', 'resume', 'db770', 'hi')).toMatchObject({
      status: 6,
      stderr: expect.stringContaining('cannot be resumed: Claude Code is not installed'),
    })
    expect(amux('sessions', 'resume').stderr).toContain('Which session? Name it by its id')
    expect(amux('sessions', 'handoff', 'db770', '--to', 'nobody').stderr).toContain('Unknown agent "nobody"')
    expect(amux('sessions', 'handoff', 'db770').stderr).toContain('To which agent?')
  })

  test('a hand-off can be looked at before it is sent', () => {
    const { stdout } = amux('sessions', 'handoff', 'db770', '--to', 'codex', 'Count', 'to three', '--dry-run')
    expect(stdout).toMatch(/^Count to three\n\nYou take over a conversation that a user had with Claude Code/)
    expect(json('sessions', 'handoff', 'db770', '--to', 'codex', '--dry-run')).toMatchObject({
      continuedFrom: `claude:${CLAUDE}`,
      leftOut: { turns: 0, messages: 0, shortened: 0 },
    })
  })

  const script = process.platform === 'linux' ? ['/usr/bin/script', '/bin/script'].find(existsSync) : undefined

  test.runIf(script)(
    'on a terminal one may be chosen from those that can be resumed',
    async () => {
      const line = { type: 'user', uuid: 'y', cwd: work, timestamp: '2026-11-15T21:00:00Z' }
      const id = 'eeeeeeee-4b1e-45d9-acbc-39a1e43ae519'
      const message = { ...line, message: { role: 'user', content: 'a session to choose' } }
      writeFileSync(claudeFile(id), `${JSON.stringify(message)}\n`)
      // Without a size the terminal is one column wide to the picker.
      const words = [process.execPath, cli, 'sessions', 'resume', '-p', 'say something'].map(quoteWord)
      const command = `stty cols 100 rows 40; ${words.join(' ')}`
      const child = spawn(script ?? '', ['-qec', command, '/dev/null'], {
        cwd: work,
        env: { ...environment(agents), TERM: 'xterm', COLUMNS: '100' },
        stdio: ['pipe', 'pipe', 'ignore'],
      })
      const closed = new Promise((resolve) => child.once('close', resolve))
      let out = ''
      child.stdout.on('data', (chunk: Buffer) => {
        out += chunk.toString()
      })
      await until('it is told', () => out.includes('a session to choose'))
      expect(out).toContain('Which session do you want to resume?')
      expect(out).not.toContain('run echo hi') // its directory is gone
      child.stdin.write('\r')
      await until('it is told', () => out.includes('You said: say something'))
      child.stdin.end()
      await closed // what it writes down of the run comes after its answer
    },
    60_000,
  )
})
