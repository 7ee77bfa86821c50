import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { manifests } from '../dist/adapters/manifests.js'
import { startScriptedServer } from '../dist/scripted/index.js'
import { installPrivately } from '../dist/toolchain/private-install.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 11)
const PROMPT = 'Say it'

/** `amux run claude` beside `claude -p`, turn by turn on the scripted server: CPU of the whole tree, and the clock. */
export async function measure() {
  const home = mkdtempSync(join(tmpdir(), 'amux-beside-'))
  const server = await startScriptedServer({ scenario: 'text' })
  try {
    const { provenVersion } = manifests.find(({ agent }) => agent === 'claude')
    const { binDir } = await installPrivately({ agent: 'claude', version: provenVersion })
    const cwd = join(home, 'project')
    mkdirSync(cwd)
    const baseUrl = server.baseUrl('anthropic')
    const env = {
      ...{
        HOME: home,
        PATH: `${binDir}${delimiter}${process.env.PATH}`,
        LANG: 'C.UTF-8',
        TERM: 'dumb',
        IS_SANDBOX: '1',
      },
      ...{ ANTHROPIC_BASE_URL: baseUrl, ANTHROPIC_API_KEY: 'sk-bench-not-a-real-key-0000' },
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }
    const commands = [
      ['claude', '-p', PROMPT],
      [process.execPath, join(root, 'bin', 'amux.js'), 'run', 'claude', PROMPT],
    ]
    const taken = commands.map(() => [])
    for (let round = -1; round < ROUNDS; round++) {
      for (const [index, command] of commands.entries()) {
        const one = await timed(command, { env, cwd })
        if (round >= 0) taken[index].push(one) // the first one fills caches
      }
    }
    const [cli, ours] = taken.map((all) => ({ cpu: middle(all, 'cpu'), wall: middle(all, 'wall') }))
    return [
      {
        what: '`amux run claude` beside `claude -p`',
        value: ours.cpu / cli.cpu,
        limit: 1.15,
        unit: ' × its CPU',
        detail: `${ours.cpu.toFixed(0)} ms against ${cli.cpu.toFixed(0)} ms of user and system time, with children`,
      },
      {
        what: 'the same by the clock',
        value: ours.wall / cli.wall,
        limit: 1.25,
        unit: ' × its time',
        detail: `${ours.wall.toFixed(0)} ms against ${cli.wall.toFixed(0)} ms`,
      },
    ]
  } finally {
    await server.close()
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The shell waits for all that it started, so its times count the children, too. */
function timed(command, { env, cwd }) {
  const script = `TIMEFORMAT='%3R %3U %3S'; time "$@" >/dev/null 2>&1`
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', script, 'bash', ...command], { env, cwd, stdio: ['ignore', 'ignore', 'pipe'] })
    let told = ''
    child.stderr.on('data', (chunk) => {
      told += chunk
    })
    child.once('close', (code) => {
      const [wall, user, system] = told.trim().split('\n').at(-1).split(' ').map(Number)
      if (code !== 0) reject(new Error(`${command.join(' ')} ended with ${code}`))
      else resolve({ wall: wall * 1000, cpu: (user + system) * 1000 })
    })
  })
}

function middle(all, field) {
  return all.map((one) => one[field]).sort((a, b) => a - b)[all.length >> 1]
}
