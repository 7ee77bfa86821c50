import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { cliBench, type Finished, records } from './support/cli-bench.ts'

// The real CLI, built into a scratch directory, on a fake `claude` that plays recordings (see fixtures/cli/claude).
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { ENVIRONMENT, agents, amux, cli, finished, home, scratch, tools, work } = cliBench()

describe.concurrent('mistakes get one clear line, a next step and their exit code', () => {
  test.each([
    [['run', 'cloude', 'hi'], 3, 'amux: Unknown agent "cloude"\n      Did you mean "claude"?'],
    [['run', 'codex', 'hi'], 4, 'amux: Codex CLI is not installed: no `codex` on PATH\n      Install it with: '],
    [['run', 'claude'], 2, 'amux: No prompt given\n'],
    [['run', 'claude', '-'], 2, 'amux: No prompt given: standard input was empty\n'],
    [['run', 'fix the bug'], 2, 'amux: Which agent?'],
    [['run', 'claude', 'hi', '--modle', 'x'], 2, 'amux: Unknown flag --modle\n      Did you mean --model?'],
    [['run', 'claude', 'hi', '--top-k', '0'], 2, 'amux: Invalid options: --top-k: must be an integer of at least 1\n'],
    [['run', 'claude', 'hi', '--thinking-budget', '2000'], 6, 'amux: claude does not support --thinking-budget\n'],
    [['run', 'claude', 'hi', '--profile', 'none'], 9, 'amux: No profile named "none"\n'],
    [['rnu'], 2, 'amux: Unknown command "rnu"\n      Did you mean "run"?'],
    [['claud', 'hi'], 2, 'amux: Unknown command "claud"\n      Did you mean "claude"?'],
    [['--nope'], 2, 'amux: Unknown flag --nope\n'],
    [['parse', 'claude', 'no-such-file'], 2, 'amux: Cannot read no-such-file'],
    [['completions', 'tcsh'], 2, 'amux: The shell must be one of bash, zsh, fish, not "tcsh"\n'],
  ])('amux %j', async (args, exit, message) => {
    const { code, stdout, stderr } = await amux(args)
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('    at ')
    expect(stdout).toBe('')
    expect(code).toBe(exit)
  })

  test('a CLI that is older than its adapter', async () => {
    const old = join(scratch, 'old')
    mkdirSync(old)
    writeFileSync(join(old, 'claude'), '#!/bin/sh\necho "1.0.3 (Claude Code)"\n', { mode: 0o755 })
    const { code, stderr } = await amux(['run', 'claude', 'hi'], { env: { PATH: [old, tools].join(delimiter) } })
    expect(stderr).toMatch(/^amux: Claude Code 1\.0\.3 is too old: .* or newer is needed\n {6}Update it with: npm /)
    expect(code).toBe(4)
  })

  test('with --json they are an envelope on stdout', async () => {
    const { code, stdout, stderr } = await amux(['run', 'cloude', 'hi', '--json'])
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      error: {
        code: 'UNKNOWN_AGENT',
        message: 'Unknown agent "cloude"',
        recoverable: false,
        hint: expect.stringContaining('claude'),
      },
    })
    expect(stderr).toBe('')
    expect(code).toBe(3)
  })

  test('--debug shows where an error came from', async () => {
    expect((await amux(['run', 'cloude', 'hi', '--debug'])).stderr).toContain('    at ')
  })

  test('a broken config file is told, not passed over', async () => {
    const dir = join(scratch, 'broken')
    mkdirSync(dir, { recursive: true })
    writeFileSync(join(dir, 'config.json'), '{')
    const { code, stderr } = await amux(['run', 'claude', 'say hi', '--config-dir', dir])
    expect(stderr).toContain('config.json is not valid JSON')
    expect(code).toBe(7)
  })
})

describe.concurrent('other commands', () => {
  test('--version and --help', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    for (const flag of ['--version', '-V', 'version']) expect((await amux([flag])).stdout).toBe(`amux ${version}\n`)
    expect((await amux([])).stdout).toContain('Usage  amux <command>')
    expect((await amux(['run', '--help'])).stdout).toContain('--max-cost USD')
    expect((await amux(['help', 'exit-codes'])).stdout).toContain('16  a tool that the agent wanted was denied')
  })

  test('every command has help with examples, and completions know it', async () => {
    const commands: { name: string }[] = JSON.parse((await amux(['help', '--json'])).stdout).data
    const helps = await Promise.all(commands.map(({ name }) => amux([name, '--help'])))
    for (const { code, stdout } of helps) {
      expect(stdout).toMatch(/Examples\n {2}\S/)
      expect(code).toBe(0)
    }
    const bash = (await amux(['completions', 'bash'])).stdout
    for (const { name } of commands) expect(bash).toContain(`    ${name}) words=`)
    expect(spawnSync('bash', ['-n'], { input: bash }).status ?? 0).toBe(0)
  })

  test('agents', async () => {
    const { stdout } = await amux(['agents', '--json'])
    const rows: { agent: string }[] = JSON.parse(stdout).data
    expect(rows.find(({ agent }) => agent === 'claude')).toMatchObject({
      installed: true,
      version: '2.1.325',
      meetsMinVersion: true,
      cliPath: join(agents, 'claude'),
      verification: 'verified',
    })
    expect((await amux(['detect'])).stdout).toMatch(/^AGENT .*\n(?:.*\n)*claude +Claude Code +2\.1\.325 /)
    const details = (await amux(['agents', 'codex'])).stdout
    expect(details).toContain('Install\n  npm install -g ')
    expect(details).toContain('Sign in\n  1. ')
  })

  test('capabilities', async () => {
    const { stdout } = await amux(['capabilities', 'claude', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, data: { agent: 'claude', canResume: true } })
    expect((await amux(['capabilities'])).stdout).toMatch(/\nthinking budget tokens +no/)
    expect((await amux(['capabilities', 'nobody'])).code).toBe(3)
  })

  test('parse', async () => {
    const file = join(agents, 'tool.jsonl')
    const { code, stdout } = await amux(['parse', 'claude', file])
    expect(records(stdout).at(-1)).toMatchObject({ type: 'run_result', text: 'The command printed hi.' })
    expect(code).toBe(0)
    const runId = '01M7GH861QNM4FCSS0GYYYTDGY'
    const piped = await amux(['parse', 'claude', '--run-id', runId], { input: readFileSync(file, 'utf8') })
    expect(records(piped.stdout).every((record) => record.runId === runId)).toBe(true)
    const killed = await amux(['parse', 'claude', '--signal', 'SIGKILL'], { input: '' })
    expect(records(killed.stdout).at(-1)).toMatchObject({ signal: 'SIGKILL', outcome: { kind: 'crashed' } })
    expect(killed.code).toBe(0)
  })

  test('profiles', async () => {
    const dirs = ['--config-dir', join(scratch, 'profiles')]
    const set = await amux(['profiles', 'set', 'fast', 'agent=claude', 'maxTurns=3', ...dirs])
    expect(set).toEqual({ code: 0, stdout: 'Saved profile fast: {"agent":"claude","maxTurns":3}\n', stderr: '' })
    expect(JSON.parse((await amux(['profiles', 'show', 'fast', ...dirs])).stdout)).toEqual({
      agent: 'claude',
      maxTurns: 3,
    })
    expect((await amux(['profiles', ...dirs])).stdout).toMatch(/\nfast +global +claude/)
    expect((await amux(['run', 'say hi', '--profile', 'fast', '-q', ...dirs])).stdout).toBe('You said: say hi\n')
    expect((await amux(['profiles', 'set', 'bad', 'modle=x', ...dirs])).code).toBe(2)
    expect((await amux(['profiles', 'delete', 'fast', ...dirs])).code).toBe(0)
    expect((await amux(['profiles', 'show', 'fast', ...dirs])).code).toBe(9)
  })

  test('auth check', async () => {
    const none = await amux(['auth', 'check', 'claude'])
    expect(none.stdout).toContain('To sign in to claude:\n  1. ')
    expect(none.code).toBe(5)
    const env = { ANTHROPIC_API_KEY: 'sk-ant-api03-something-secret' }
    const found = await amux(['auth', 'check', 'claude', '--json'], { env })
    expect(JSON.parse(found.stdout)).toMatchObject({ data: { status: 'authenticated', method: 'api_key' } })
    expect(found.stdout).not.toContain('something-secret')
    expect(found.code).toBe(0)
  })

  test('detect-host', async () => {
    expect((await amux(['detect-host'])).stdout).toBe('Not below any agent that we know.\n')
    const { stdout } = await amux(['detect-host', '--json'], { env: { CLAUDECODE: '1' } })
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, data: { agent: 'claude' } })
  })
})

describe('the launcher in the repository', () => {
  /** A checkout where `npm` is ours: `npm ci` makes node_modules, `npm run build` a CLI that says how it was called. */
  function checkout(npm = 'true'): string {
    const root = mkdtempSync(join(scratch, 'a checkout '))
    for (const dir of ['src', 'bin', 'fake']) mkdirSync(join(root, dir))
    cpSync(join(ROOT, 'amux'), join(root, 'amux'))
    for (const file of ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'src/index.ts']) {
      writeFileSync(join(root, file), '{}')
    }
    writeFileSync(join(root, 'bin/amux.js'), 'console.log(JSON.stringify([process.cwd(), ...process.argv.slice(2)]))')
    const script = `#!/bin/sh
echo "npm $*" >> calls.txt
echo "chatter of npm"
${npm}
case $1 in
  ci) mkdir -p node_modules && touch node_modules/.package-lock.json ;;
  run) sleep 1 && mkdir -p dist/programs && touch dist/programs/cli.js ;;
esac
`
    writeFileSync(join(root, 'fake/npm'), script, { mode: 0o755 })
    return root
  }

  function launch(root: string, args: string[], file = join(root, 'amux')): Promise<Finished> {
    const env = { HOME: home, PATH: [join(root, 'fake'), tools].join(delimiter) }
    return finished(spawn(file, args, { cwd: work, env }))
  }

  const calls = (root: string) => readFileSync(join(root, 'calls.txt'), 'utf8')

  test('prepares once, quietly, also when started twice at once and through a link', async () => {
    const root = checkout()
    const link = join(root, 'a link')
    symlinkSync('./amux', link)
    const both = await Promise.all([launch(root, ['a b', '--c']), launch(root, ['a b', '--c'], link)])
    for (const { code, stdout, stderr } of both) {
      expect(JSON.parse(stdout)).toEqual([realpathSync(work), 'a b', '--c'])
      expect(stderr).not.toContain('chatter')
      expect(code).toBe(0)
    }
    expect(both.map(({ stderr }) => stderr).join('')).toContain('amux: building…\n')
    expect(calls(root)).toBe('npm ci --include=dev\nnpm run build\n')
    expect(await launch(root, [])).toMatchObject({ code: 0, stderr: '' })
  })

  test('builds again when a source is newer, and when a builder was killed', async () => {
    const root = checkout()
    await launch(root, [])
    utimesSync(join(root, 'src/index.ts'), new Date(), new Date(Date.now() + 5000))
    mkdirSync(join(root, '.cache/build.lock'))
    writeFileSync(join(root, '.cache/build.lock/pid'), '4194305\n')
    expect(await launch(root, [])).toMatchObject({ code: 0, stderr: 'amux: building…\n' })
    expect(calls(root).match(/build/g)).toHaveLength(2)
  })

  test('never lets npm into the node_modules of another checkout', async () => {
    const [root, other] = [checkout(), checkout()]
    symlinkSync(join(other, 'node_modules'), join(root, 'node_modules'))
    expect(await launch(root, [])).toMatchObject({ code: 1, stderr: expect.stringContaining('run `npm ci` there') })
    await launch(other, [])
    utimesSync(join(root, 'package-lock.json'), new Date(), new Date(Date.now() + 5000))
    expect(await launch(root, [])).toMatchObject({ code: 0, stderr: 'amux: building…\n' })
    expect(calls(root)).toBe('npm run build\n')
  })

  test('shows what npm said when it fails', async () => {
    const root = checkout('exit 1')
    const { code, stdout, stderr } = await launch(root, [])
    expect(stderr).toContain('chatter of npm')
    expect(stderr).toContain("amux: 'npm ci --include=dev' failed in")
    expect(stdout).toBe('')
    expect(code).toBe(1)
    expect(existsSync(join(root, '.cache/build.lock'))).toBe(false)
  })
})

test('what is made in the home is for the user alone, whatever the umask', async () => {
  const open = join(scratch, 'open home')
  mkdirSync(open)
  const amux = (...args: string[]) => {
    const words = ['-c', 'umask 000; exec "$@"', 'sh', process.execPath, cli, ...args]
    const { status, stderr } = spawnSync('sh', words, {
      cwd: open,
      env: { ...ENVIRONMENT, HOME: open },
      encoding: 'utf8',
    })
    expect({ status, stderr }).toMatchObject({ status: 0 })
  }
  amux('run', 'claude', 'hello')
  amux('profiles', 'set', 'mine', 'agent=claude')
  const made = readdirSync(open, { recursive: true, encoding: 'utf8' }).filter((path) => path.startsWith('.agent-mux'))
  expect(made).toContain(join('.agent-mux', 'data'))
  const isOpen = (path: string) => (statSync(join(open, path)).mode & 0o022) !== 0
  expect(made.filter((path) => statSync(join(open, path)).isDirectory() && isOpen(path))).toEqual([])
})
