import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { quoteWord } from '../src/core/command-line.ts'
import { buildCli } from './support/built-cli.ts'
import { plainGit } from './support/git.ts'
import { until } from './support/until.ts'

/**
 * Every command block of the README and the docs, as pasted into a shell: the built CLI in a scratch home and repository,
 * on a fake `claude` (fixtures/cli/claude) and a real ACP agent (programs/acp-agent.mjs).
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'amux-docs-'))
const [home, work, bin] = ['home', 'work', 'bin'].map((name) => join(scratch, name)) as [string, string, string]
const { cli, agents } = buildCli(scratch)
const env = { HOME: home, PATH: `${bin}:${agents}:${process.env.PATH}`, TMPDIR: scratch, TERM: 'dumb' }

interface Block {
  page: string
  line: number
  commands: string
  /** Why it cannot be run here; null: it can. */
  reason: string | null
}

const BLOCK = /(?:<!-- not run here: (?<reason>[^>]+) -->\n)?^```(?:sh|bash|console)\n(?<commands>[\s\S]*?)^```$/gm

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  return [...text.matchAll(BLOCK)].map(({ index, groups }) => ({
    page,
    line: text.slice(0, index).split('\n').length,
    commands: groups?.commands ?? '',
    reason: groups?.reason ?? null,
  }))
}

const docs = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
const blocks = ['README.md', ...docs.map((name) => `docs/${name}`)].flatMap(blocksOf)

const SESSION = 'db770000-bbbb-4ccc-8ddd-000000000001'

beforeAll(() => {
  for (const directory of [home, work, bin]) mkdirSync(directory, { mode: 0o700 })
  const program = (name: string, script: string, args: string) => {
    const command = [process.execPath, script].map(quoteWord).join(' ')
    writeFileSync(join(bin, name), `#!/bin/sh\nexec ${command} ${args}\n`, { mode: 0o755 })
  }
  program('amux', cli, '"$@"')
  program('my-agent', join(ROOT, 'test/programs/acp-agent.mjs'), '')
  plainGit(work, 'init', '-q')
  plainGit(work, 'commit', '-q', '--allow-empty', '-m', 'Begin')
  // The conversation that the examples go on with.
  const recorded = readFileSync(join(ROOT, 'src/adapters/claude/fixtures/sessions/resumed.jsonl'), 'utf8')
  const own = JSON.parse(recorded.split('\n').find((line) => line.includes('"sessionId"')) ?? '{}')
  const project = join(home, '.claude/projects/-work')
  mkdirSync(project, { recursive: true })
  const here = recorded.replaceAll(own.sessionId, SESSION).replaceAll(/"cwd":"[^"]*"/g, `"cwd":${JSON.stringify(work)}`)
  writeFileSync(join(project, `${SESSION}.jsonl`), here)
  cpSync(join(ROOT, 'README.md'), join(work, 'README.md'))
})

afterAll(async () => {
  await paste('amux kill --all; amux stop')
  rmSync(scratch, { recursive: true, force: true })
})

/** The first command that fails ends it, as nobody would go on pasting. */
async function paste(commands: string): Promise<{ code: number; output: string }> {
  const shell = spawn('sh', ['-ec', commands], { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const [code] = await once(shell, 'close')
  return { code: Number(code), output }
}

/** As a person would: until no agent is at work any more. */
async function settled(): Promise<void> {
  await until('no agent is at work', async () => {
    const { output } = await paste('amux ls --live --json')
    const { data = [] } = JSON.parse(output)
    return data.every(({ activity }: { activity: { state: string } }) => !/active|spawning/.test(activity.state))
  })
}

describe('every command block works as pasted', () => {
  for (const { page, line, commands } of blocks.filter(({ reason }) => reason === null)) {
    test(`${page}:${line}`, async () => {
      const { code, output } = await paste(commands)
      expect(output, commands).not.toContain('amux: ')
      expect(code, output).toBe(0)
      if (commands.includes('amux spawn')) await settled()
    })
  }
})

test('those that cannot be run here say why', () => {
  expect(blocks.filter(({ reason }) => reason !== null).map(({ page, reason }) => `${page}: ${reason}`)).toEqual([
    'README.md: installs packages and runs all tests',
    'README.md: needs the real CLIs, a marketplace and a recording',
    'docs/scripted-server.md: serves until ^C',
  ])
})
