import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { quoteWord } from '../src/core/command-line.ts'
import { cliBench, type Finished, records } from './support/cli-bench.ts'
import { isAlive } from './support/processes.ts'
import { until } from './support/until.ts'

// The real CLI, built into a scratch directory, on a fake `claude` that plays recordings (see fixtures/cli/claude).
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { ENVIRONMENT, amux, cli, finished, scratch, start, work } = cliBench()

describe.concurrent('run', () => {
  test('text: the answer on stdout, the work on stderr', async () => {
    const { code, stdout, stderr } = await amux(['run', 'claude', 'tool', '--output-format', 'text'])
    expect(stdout).toBe('The command printed hi.\n')
    expect(stderr).toMatch(
      /^I will run a command\.\n\n✓ Bash {2}echo hi {2}\d+ms\n {4}hi\n\n✓ completed · 2\.3k in, 50 out/,
    )
    expect(code).toBe(0)
  })

  test('text is text, also with a pipe on both sides', async () => {
    const { stdout, stderr } = await amux(['run', 'claude', 'tool'])
    expect(stdout).toBe('The command printed hi.\n')
    expect(stderr).toContain('completed')
  })

  test('quiet: the answer alone', async () => {
    expect(await amux(['run', 'claude', 'tool', '-q'])).toEqual({
      code: 0,
      stdout: 'The command printed hi.\n',
      stderr: '',
    })
  })

  test('any ACP agent by its command line, and by a name from the settings', async () => {
    const line = `node ${quoteWord(join(ROOT, 'test/programs/acp-agent.mjs'))}`
    const byLine = await amux(['run', `acp:${line}`, 'hello there', '-q'])
    expect(byLine).toEqual({ code: 0, stdout: 'Hello you said: there\n', stderr: '' })
    const settings = join(scratch, 'acp-settings')
    mkdirSync(settings)
    writeFileSync(join(settings, 'config.json'), JSON.stringify({ agents: { mine: { acp: line } } }))
    const byName = await amux(['run', 'mine', 'hello again', '-q', '--config-dir', settings])
    expect(byName).toEqual({ code: 0, stdout: 'Hello you said: again\n', stderr: '' })
    const missing = await amux(['run', 'acp:no-such-agent --acp', 'hello'])
    expect(missing.stderr).toContain('no `no-such-agent` on PATH')
    expect(missing.code).not.toBe(0)
  })

  test.each([
    ['--json', ['run', 'claude', 'tool', '--json']],
    ['--output-format jsonl', ['run', 'claude', 'tool', '--output-format', 'jsonl']],
  ])('one event a line with %s', async (_, args) => {
    const { code, stdout } = await amux(args)
    const lines = records(stdout)
    expect(code).toBe(0)
    expect(lines[0]).toMatchObject({ type: 'session_start', agent: 'claude' })
    expect(lines.filter(({ type }) => type === 'run_result')).toHaveLength(1)
    expect(lines.at(-1)).toMatchObject({
      type: 'run_result',
      text: 'The command printed hi.',
      outcome: { kind: 'completed' },
    })
    expect(stdout).not.toContain('accumulated')
  })

  test('json: the result in an envelope', async () => {
    const { stdout } = await amux(['run', 'claude', 'tool', '--output-format', 'json'])
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, data: { text: 'The command printed hi.' } })
  })

  test('json is how we print, so a profile can say it, and an agent without a JSON mode is no matter', async () => {
    await amux(['profiles', 'set', 'printed', 'outputFormat=json'])
    const { stdout } = await amux(['run', 'claude', 'tool', '--profile', 'printed'])
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, data: { text: 'The command printed hi.' } })
    const other = await amux(['run', 'kimi', 'x', '--output-format', 'json'])
    expect(other.stderr).toContain('is not installed')
  })

  test('the prompt may come from stdin, or be words, or a flag', async () => {
    const said = async (args: string[], input?: string) => (await amux(['run', ...args, '-q'], { input })).stdout
    expect(await said(['claude', '-'], 'say from a pipe')).toBe('You said: say from a pipe\n')
    expect(await said(['claude', 'say', 'these', 'words'])).toBe('You said: say these words\n')
    expect(await said(['claude', '-p', 'say this'])).toBe('You said: say this\n')
    expect(await said(['-a', 'claude', 'say it'])).toBe('You said: say it\n')
    expect(await said(['claude', 'say this and', '-'], 'that')).toBe('You said: say this and\n\nthat\n')
  })

  test('a default agent makes every word a part of the prompt', async () => {
    const env = { AGENT_MUX_DEFAULT_AGENT: 'claude' }
    expect((await amux(['run', 'say', 'hi', '-q'], { env })).stdout).toBe('You said: say hi\n')
  })

  test.each([
    ['a tool that the agent itself denied', 'denied', 16, 'permission_blocked'],
    ['an approval that nobody can give', 'ask', 16, 'permission_blocked'],
    ['a question that nobody can answer', 'question', 17, 'question_unanswered'],
    ['a crash', 'crash', 12, 'crashed'],
  ])('%s shows in the exit code', async (_, prompt, exit, outcome) => {
    const { code, stderr } = await amux(['run', 'claude', prompt, '-q'])
    expect(code).toBe(exit)
    expect(stderr).toContain(`amux: ${outcome}`)
  })

  test('--yolo answers for the user', async () => {
    expect(await amux(['run', 'claude', 'ask', '--yolo', '-q'])).toMatchObject({ code: 0, stdout: 'File made.\n' })
  })

  test('a timeout', async () => {
    const { code, stdout } = await amux(['run', 'claude', 'slow', '--timeout', '600ms', '--json'])
    expect(code).toBe(11)
    expect(records(stdout).at(-1)).toMatchObject({ outcome: { kind: 'timed_out' } })
  })
})

describe('signals', () => {
  /** Runs the scene that never ends, and waits until it has said its first word. */
  async function running(): Promise<{ child: ChildProcess; result: Promise<Finished>; agentChild: number }> {
    const child = start(['run', 'claude', 'slow', '--json'])
    let seen = ''
    child.stdout?.on('data', (chunk) => {
      seen += chunk
    })
    const result = finished(child)
    await until('the agent to speak', () => /child \d+/.test(seen))
    return { child, result, agentChild: Number(/child (\d+)/.exec(seen)?.[1]) }
  }

  test('^C interrupts the turn and ends the run with its result', async () => {
    const { child, result, agentChild } = await running()
    child.kill('SIGINT')
    const { code, stdout } = await result
    expect(code).toBe(13)
    expect(records(stdout).at(-1)).toMatchObject({ type: 'run_result', exitReason: 'interrupted' })
    await until("the agent's child to go", () => !isAlive(agentChild))
  })

  test('^C twice aborts', async () => {
    const { child, result } = await running()
    child.stderr?.once('data', () => child.kill('SIGINT')) // two at once may arrive as one
    child.kill('SIGINT')
    expect((await result).code).toBe(13)
  })

  test('^C pressed over and over loses no word of the result', async () => {
    const { child, result } = await running()
    const presses = setInterval(() => child.kill('SIGINT'), 10)
    const { stdout } = await result.finally(() => clearInterval(presses))
    expect(records(stdout).at(-1)).toMatchObject({ type: 'run_result' })
  })

  test('SIGTERM ends everything', async () => {
    const { child, result, agentChild } = await running()
    child.kill('SIGTERM')
    const { code, stdout } = await result
    expect(code).toBe(13)
    expect(records(stdout).at(-1)).toMatchObject({ exitReason: 'aborted' })
    await until("the agent's child to go", () => !isAlive(agentChild))
  })

  test('a reader that leaves ends the run, without a word', async () => {
    const child = start(['run', 'claude', 'flood', '--json'])
    let stderr = ''
    child.stderr?.on('data', (chunk) => {
      stderr += chunk
    })
    child.stdout?.once('data', () => child.stdout?.destroy())
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect(code).toBe(13)
    expect(stderr).toBe('')
  })
})

describe('interactive', () => {
  test('lines are prompts; /approve answers; the end of input ends the run', async () => {
    const child = start(['run', 'claude', '-i', '--json'], { input: 'say one\nsay two\n' })
    const { code, stdout } = await finished(child)
    const texts = records(stdout).filter(({ type }) => type === 'message_stop')
    expect(texts.map(({ text }) => text)).toEqual(['You said: say one', 'You said: say two'])
    expect(records(stdout).at(-1)).toMatchObject({ type: 'run_result', turnCount: 2, outcome: { kind: 'completed' } })
    expect(code).toBe(0)
  })

  test('an approval waits for its answer', async () => {
    const child = spawn(process.execPath, [cli, 'run', 'claude', '-i', '--json'], { cwd: work, env: ENVIRONMENT })
    let seen = ''
    child.stdout.on('data', (chunk) => {
      seen += chunk
    })
    const result = finished(child)
    child.stdin.write('ask\n')
    await until('the request', () => seen.includes('approval_request'))
    child.stdin.write('/approve\n')
    await until('the turn to end', () => seen.includes('turn_end'))
    child.stdin.end()
    const { code, stdout } = await result
    expect(records(stdout).at(-1)).toMatchObject({ text: 'File made.' })
    expect(code).toBe(0)
  })
})

describe('on a terminal', () => {
  // The one of util-linux; others take other flags.
  const script = process.platform === 'linux' ? ['/usr/bin/script', '/bin/script'].find(existsSync) : undefined

  /** `script` lends us a pseudo-terminal; what is typed comes from a pipe. */
  async function onTerminal(args: string[], typed: [after: string, text: string][] = []): Promise<Finished> {
    const command = `stty cols 100; ${[process.execPath, cli, ...args].map(quoteWord).join(' ')}`
    const child = spawn(script ?? '', ['-qec', command, '/dev/null'], {
      cwd: work,
      env: { ...ENVIRONMENT, TERM: 'xterm', SHELL: '/bin/sh', NO_COLOR: '1' },
    })
    let seen = ''
    child.stdout.on('data', (chunk) => {
      seen += chunk
    })
    const result = finished(child)
    for (const [after, text] of typed) {
      await until(after, () => seen.includes(after))
      seen = ''
      child.stdin.write(text)
    }
    return result
  }

  test.runIf(script)('the work as it happens', async () => {
    const { code, stdout } = await onTerminal(['run', 'claude', 'tool'])
    const shown = stdout.split('\r\n').map((line) => line.split('\r\u001b[K').at(-1))
    expect(shown.slice(0, 6)).toEqual([
      'I will run a command.',
      '',
      expect.stringMatching(/^✓ Bash {2}echo hi {2}\d+ms$/),
      '    hi',
      '',
      'The command printed hi.',
    ])
    expect(stdout).toContain('⠋ starting claude…')
    expect(code).toBe(0)
  })

  test.runIf(script)('approvals are asked for', async () => {
    const yes = await onTerminal(['run', 'claude', 'ask'], [['[a]lways?', 'y\r']])
    expect(yes.stdout).toContain('Bash wants to run (high risk): touch made.txt')
    expect(yes.stdout).toContain('File made.')
    expect(yes.code).toBe(0)
    const no = await onTerminal(['run', 'claude', 'ask'], [['[a]lways?', 'n\r']])
    expect(no.code).toBe(16)
  })

  test.runIf(script)('a conversation, with "always" and commands', async () => {
    const { code, stdout } = await onTerminal(
      ['run', 'claude', '-i'],
      [
        ['› ', 'ask\r'],
        ['[a]lways?', 'a\r'],
        ['› ', 'ask\r'],
        ['› ', '/status\r'],
        ['› ', '/exit\r'],
      ],
    )
    expect(stdout.match(/wants to run/g)).toHaveLength(1)
    expect(stdout).toContain('claude (claude-opus-5-5): running, idle, 2 turns')
    expect(code).toBe(0)
  })
})
