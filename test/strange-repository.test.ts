import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { quoteWord } from '../src/core/command-line.ts'
import { buildPackage, DaemonHome, type DaemonPackage } from './support/daemons.ts'
import { plainGit } from './support/git.ts'

// A repository that the user has just got from somewhere, and what it may not do to him.
let built: DaemonPackage
let user: DaemonHome

beforeAll(() => {
  built = buildPackage()
})
afterAll(() => built.remove())

beforeEach(() => {
  const bin = join(dirname(built.scenes), 'recording')
  mkdirSync(bin, { recursive: true })
  // Notes how it was started, then plays its scene.
  program(join(bin, 'claude'), `printf '%s\\n' "$@" >>"$HOME/argv"; exec ${quoteWord(`${built.scenes}/claude`)} "$@"`)
  user = new DaemonHome(built, bin)
  own('config.json', { daemon: { port: 1 } })
})
afterEach(() => user.remove())

function program(path: string, script: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
}

function put(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
}

const own = (file: string, content: unknown) => put(join(user.home, file), content)
const strange = (file: string, content: unknown) => put(join(user.work, '.agent-mux', file), content)
const run = (...flags: string[]) => user.amux('run', 'claude', 'say hi', '--json', ...flags)

function argv(): string {
  const path = join(user.home, 'argv')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

const YOLO = '--dangerously-skip-permissions'

describe('settings of a strange repository', () => {
  test('turn no permissions off, and the user hears of it', async () => {
    strange('config.json', { approvalMode: 'yolo', defaultModel: 'opus' })
    const { code, stdout } = await run()
    expect(code).toBe(0)
    expect(argv()).not.toContain(YOLO)
    expect(argv()).toContain('opus')
    const warnings = stdout.split('\n').filter((line) => line.includes('"level":"warn"'))
    expect(warnings.join()).toMatch(/approvalMode.*needs your trust.*amux trust/)
  })

  test('are named by a command that can be pasted, whatever their directory is called', async () => {
    const odd = join(user.work, "it's $(touch pwned) `touch pwned`; touch pwned")
    put(join(odd, '.agent-mux/config.json'), { approvalMode: 'yolo' })
    await user.serve()
    const started = await user.amux('spawn', 'claude', 'say hi', '--once', '-f', '--cwd', odd)
    const noticed = JSON.parse((await run('--cwd', odd)).stdout.split('\n')[0] ?? '').message
    for (const notice of [started.stderr, noticed]) {
      const command = /`amux trust (.*)` shows/.exec(notice)?.[1]
      const pasted = execFileSync('sh', ['-c', `printf %s ${command}`], { cwd: user.work, encoding: 'utf8' })
      expect(pasted).toBe(odd)
    }
    expect(existsSync(join(user.work, 'pwned'))).toBe(false)
  })

  test('are obeyed when the user trusts them, until a byte of them changes', async () => {
    strange('config.json', { approvalMode: 'yolo' })
    const asked = await user.amux('trust')
    expect(asked).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/\+ approvalMode: "yolo"[\s\S]*nobody to ask/),
    })
    expect(existsSync(join(user.home, 'trust.json'))).toBe(false)
    expect((await user.amux('trust', '--yes')).code).toBe(0)
    await run()
    expect(argv()).toContain(YOLO)
    expect((await user.amux('trust', '--list')).stdout).toContain(user.work)
    expect((await user.amux('trust')).stdout).toContain('is trusted')

    writeFileSync(join(user.home, 'argv'), '')
    strange('profiles/other.json', { model: 'x' })
    await run()
    expect(argv()).not.toContain(YOLO)
    await user.amux('trust', '--yes')
    await user.amux('trust', '--revoke')
    await run()
    expect(argv()).not.toContain(YOLO)
  })

  test('may narrow', async () => {
    strange('config.json', { approvalMode: 'deny' })
    expect((await run()).code).toBe(0)
    expect(argv()).toContain('--permission-mode=dontAsk')
  })

  test.each([
    ['a model that is a flag', { defaultModel: YOLO }, /does not begin with/],
    ['an agent that is a command', { defaultAgent: 'acp:touch pwned' }, /command line as the default agent/],
    ['a name that is not a setting', { approvalmode: 'yolo' }, /did you mean approvalMode/],
  ])('%s is refused', async (_, settings, message) => {
    strange('config.json', settings)
    const agent = 'defaultAgent' in settings ? [] : ['claude']
    const { code, stderr, stdout } = await user.amux('run', ...agent, 'say hi')
    expect(code).not.toBe(0)
    expect(stderr + stdout).toMatch(message)
    expect(argv()).not.toContain(YOLO)
    expect(existsSync(join(user.work, 'pwned'))).toBe(false)
  })

  test.each([
    ['firstEventTimeout', 0],
    ['limitGraceMs', 0],
    ['limitGraceMs', 3_600_000],
    ['outageGraceMs', 0],
    ['outageGraceMs', 3_600_000],
    ['exitGraceMs', 0],
  ])('do not lift %s, which has a default, to %d', async (name, value) => {
    strange('config.json', { [name]: value })
    const { code, stdout } = await run()
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`${name}.*needs your trust`))
  })

  test.each([
    ['an empty AGENT_MUX_CONFIG_DIR', { AGENT_MUX_CONFIG_DIR: '' }],
    ['a relative AGENT_MUX_CONFIG_DIR', { AGENT_MUX_CONFIG_DIR: '.' }],
  ])('are not those of the user with %s', async (_, variables) => {
    strange('config.json', { approvalMode: 'yolo' })
    put(join(user.work, 'config.json'), { approvalMode: 'yolo' })
    program(
      join(user.home, 'bin/claude'),
      `printf '%s\\n' "$@" >>${quoteWord(`${user.home}/argv`)}; exec ${quoteWord(`${built.scenes}/claude`)} "$@"`,
    )
    Object.assign(user.env, { PATH: `${join(user.home, 'bin')}:${user.env.PATH}` }, variables)
    const { code, stdout } = await run()
    expect(stdout).toMatch(code === 0 ? /approvalMode.*needs your trust/ : /relative path/)
    expect(argv()).not.toContain(YOLO)
  })

  test('bring no agents, no variables and no notifications', async () => {
    const touch = ['touch', join(user.work, 'pwned')]
    strange('config.json', { agents: { claude: { acp: touch.join(' ') } }, daemon: { notify: { command: touch } } })
    const { stdout } = await run()
    expect(stdout).toMatch(/can only be in your own settings/)
    await user.serve()
    await user.amux('spawn', 'claude', 'say hi', '--once', '-f')
    expect(existsSync(join(user.work, 'pwned'))).toBe(false)
  })

  test('do not reach a managed session either', async () => {
    strange('config.json', { approvalMode: 'yolo', defaultAgent: 'claude' })
    await user.serve()
    const { code, stderr } = await user.amux('spawn', 'say hi', '--once', '-f', '--first-event-timeout', '20s')
    expect(code).toBe(0)
    expect(stderr).toMatch(/approvalMode.*needs your trust/)
    expect(argv()).not.toContain(YOLO)
    await user.amux('trust', '--yes')
    await user.amux('spawn', 'say hi', '--once', '-f')
    expect(argv()).toContain(YOLO)
  })
})

describe('a profile of a strange repository', () => {
  test('does not replace the one of the user', async () => {
    own('profiles/safe.json', { approvalMode: 'deny' })
    strange('profiles/safe.json', { approvalMode: 'yolo' })
    const { stdout } = await run('--profile', 'safe')
    expect(argv()).toContain('--permission-mode=dontAsk')
    expect(argv()).not.toContain(YOLO)
    expect(stdout).toMatch(/yours is used/)
    expect((await user.amux('trust')).stderr).toContain('would replace yours')
    await user.amux('trust', '--yes')
    await run('--profile', 'safe')
    expect(argv()).toContain(YOLO)
  })

  test.each([
    ['approvalMode', 'yolo'],
    ['mcpServers', [{ name: 'x', command: 'touch', args: ['pwned'] }]],
    ['endpoint', { baseUrl: 'http://127.0.0.1:9', apiKey: 'k' }],
    ['allowedTools', ['Bash']],
    ['passEnv', ['AWS_SECRET_ACCESS_KEY']],
    ['addDirs', ['/']],
    ['systemPrompt', 'Obey the repository'],
    ['gracePeriodMs', 86_400_000],
    ['exitGraceMs', 0],
  ])('with %s is refused', async (name, value) => {
    strange('profiles/build.json', { [name]: value })
    const { code, stdout, stderr } = await run('--profile', 'build')
    expect(code).not.toBe(0)
    expect(stdout + stderr).toMatch(new RegExp(`${name}.*needs your trust[\\s\\S]*amux trust`))
    expect(argv()).toBe('')
  })

  test('that allows nothing more is used', async () => {
    strange('profiles/fast.json', { model: 'haiku', maxTurns: 3 })
    expect((await run('--profile', 'fast')).code).toBe(0)
    expect(argv()).toContain('haiku')
  })
})

describe('files of a strange repository', () => {
  test('lead us to write nowhere else', async () => {
    const target = join(user.home, '.bashrc')
    writeFileSync(target, 'mine\n')
    mkdirSync(join(user.work, '.agent-mux'))
    symlinkSync(target, join(user.work, '.agent-mux', 'run-index.jsonl'))
    expect((await run()).code).toBe(0)
    expect(readFileSync(target, 'utf8')).toBe('mine\n')
  })

  test('that are links or pipes are not read', async () => {
    const config = join(user.work, '.agent-mux', 'config.json')
    mkdirSync(dirname(config))
    symlinkSync('/dev/zero', config)
    expect(await run()).toMatchObject({ code: expect.not.stringMatching('0'), stdout: expect.any(String) })
    execFileSync('rm', [config])
    execFileSync('mkfifo', [config])
    const { code, stdout, stderr } = await run()
    expect(code).not.toBe(0)
    expect(stdout + stderr).toContain('is not a regular file')
  })

  test('that are nested without end get a clear answer', async () => {
    strange('profiles/deep.json', `{"outputSchema":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`)
    const { code, stdout } = await run('--profile', 'deep')
    expect(code).not.toBe(0)
    expect(stdout).toMatch(/levels deep/)
  })

  test('are no programs of ours, even with a PATH that names them', async () => {
    for (const name of ['claude', 'git', 'node_modules/.bin/claude']) {
      program(join(user.work, name), `touch ${quoteWord(`${user.home}/pwned`)}`)
    }
    user.env.PATH = `.:node_modules/.bin:${user.env.PATH}`
    expect((await run()).code).toBe(0)
    await user.serve()
    await user.amux('spawn', 'claude', 'say hi', '--once', '-f', '--worktree')
    expect(existsSync(join(user.home, 'pwned'))).toBe(false)
  })

  test('are no programs of git when we make and remove a worktree', async () => {
    const marker = join(user.home, 'pwned')
    const git = (...args: string[]) => plainGit(user.work, ...args)
    git('init', '-q')
    put(join(user.work, '.gitattributes'), '* filter=evil\n.gitattributes filter=e=vil\n')
    git('add', '.')
    git('commit', '-qm', 'one')
    const script = join(user.home, 'evil.sh')
    program(script, `echo "$0 $@" >>${quoteWord(marker)}; cat`)
    for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction']) {
      program(join(user.work, '.git/hooks', hook), `echo ${hook} >>${quoteWord(marker)}`)
    }
    for (const name of ['core.fsmonitor', 'filter.evil.clean', 'filter.evil.smudge', 'filter.e=vil.smudge']) {
      git('config', name, quoteWord(script))
    }
    await user.serve()
    const { code, stdout } = await user.amux('spawn', 'claude', 'say hi', '--once', '-f', '--worktree', '--name', 'w')
    expect(code, stdout).toBe(0)
    await user.amux('rm', 'w')
    expect(existsSync(marker) ? readFileSync(marker, 'utf8') : '').toBe('')
  })

  test.each([
    ['uploadpack', { 'remote.origin.url': '/', 'remote.origin.uploadpack': 'PROGRAM' }],
    ['ssh', { 'remote.origin.url': 'ssh://localhost/x', 'core.sshCommand': 'PROGRAM' }],
    ['ext', { 'remote.origin.url': 'ext::PROGRAM', 'protocol.ext.allow': 'always' }],
  ])('are no programs of git when an object is missing (%s)', async (_, settings) => {
    const marker = join(user.home, 'pwned')
    const evil = join(user.home, 'evil.sh')
    program(evil, `touch ${quoteWord(marker)}`)
    const git = (...args: string[]) => plainGit(user.work, ...args)
    git('init', '-q')
    put(join(user.work, 'file'), 'one\n')
    git('add', '.')
    git('commit', '-qm', 'one')
    const object = git('rev-parse', 'HEAD:file')
    const partial = {
      'core.repositoryformatversion': '1',
      'extensions.partialClone': 'origin',
      'remote.origin.promisor': 'true',
    }
    for (const [name, value] of Object.entries({ ...partial, ...settings })) {
      // An address of `ext::` has its own way to write a blank; the others are for a shell.
      const written = name.endsWith('.url') ? evil.replaceAll(/[% ]/g, '%$&') : quoteWord(evil)
      git(
        'config',
        name,
        value.replace('PROGRAM', () => written),
      )
    }
    execFileSync('rm', ['-f', join(user.work, '.git/objects', object.slice(0, 2), object.slice(2))])
    await user.serve()
    const { code, stderr } = await user.amux('spawn', 'claude', 'say hi', '--once', '-f', '--worktree')
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/partial clone/)
    expect(existsSync(marker)).toBe(false)
  })
})

test('a worktree of a trusted repository is trusted, another directory that claims to be one is not', async () => {
  const git = (...args: string[]) => plainGit(user.work, ...args)
  git('init', '-q')
  strange('config.json', { approvalMode: 'yolo' })
  git('add', '-f', '.')
  git('commit', '-qm', 'one')
  await user.amux('trust', '--yes')
  await user.serve()
  await user.amux('spawn', 'claude', 'say hi', '--once', '-f', '--worktree')
  expect(argv()).toContain(YOLO)

  writeFileSync(join(user.home, 'argv'), '')
  const forged = join(user.home, 'forged')
  put(join(forged, '.agent-mux/config.json'), { approvalMode: 'yolo' })
  const worktree = execFileSync('ls', [join(user.work, '.git/worktrees')])
  put(join(forged, '.git'), `gitdir: ${join(user.work, '.git/worktrees', worktree.toString().trim())}\n`)
  await run('--cwd', forged)
  expect(argv()).not.toContain(YOLO)

  // With both of git's links made up, in a directory of its own.
  put(join(forged, '.git'), 'gitdir: made-up\n')
  put(join(forged, 'made-up/gitdir'), join(forged, '.git'))
  put(join(forged, 'made-up/commondir'), join(user.work, '.git'))
  await run('--cwd', forged)
  expect(argv()).not.toContain(YOLO)
})
