import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DaemonClient } from '../dist/client/index.js'
import { cpuMs, cpuOf } from './cpu.mjs'

/** Another checkout, built, to compare with: `BENCH_ROOT=../before npm run bench -- load`. */
const ROOT = process.env.BENCH_ROOT ?? fileURLToPath(new URL('..', import.meta.url))
const CLI = join(ROOT, 'bin', 'amux.js')
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9)

// One short turn for each message.
const AGENT = `#!/bin/sh
[ "$1" = --version ] && echo '2.1.325 (Claude Code)' && exit 0
ids='"session_id":"565fa31e-b1db-443a-94a3-c9dbf5947026","uuid":"u"'
while read -r line; do
  case $line in
    *'"type":"user"'*)
      echo '{"type":"system","subtype":"init","cwd":"/w","tools":[],"mcp_servers":[],"model":"m",'"$ids"'}'
      echo '{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"","usage":{},'"$ids"'}' ;;
  esac
done
`

/** Each process notes the modules that it loads. */
const COUNTER = `import { appendFileSync } from 'node:fs'
export async function load(url, context, next) {
  if (!url.startsWith('node:')) appendFileSync(process.env.MODULES_FILE, process.pid + ' ' + url + '\\n')
  return next(url, context)
}`
const dataUrl = (code) => `data:text/javascript,${encodeURIComponent(code)}`
const COUNTING = `--import ${dataUrl(`import { register } from 'node:module'; register(${JSON.stringify(dataUrl(COUNTER))})`)}`

const COMMANDS = { run: ['run', 'claude', 'hello'], ls: ['ls'], spawn: ['spawn', 'claude', 'hello'] }

// What was seen when this was written, and about a third more. With a file for each module it was 286, 60, 271, 534 and 282
// modules, and 4.0, 3.3, 5.0, 7.1 and 4.1 times the CPU of an empty Node.
const LIMITS = {
  run: { modules: 25, cpu: 3 },
  ls: { modules: 25, cpu: 4.5 },
  spawn: { modules: 45, cpu: 5 },
  daemon: { modules: 125, cpu: 5.5 },
  runner: { modules: 35, cpu: 3, memory: 25 },
}

/** What each program loads, what it takes to start, and what a runner keeps in memory. CPU is against an empty Node. */
export async function measure() {
  const { modules } = await oneRound({ NODE_OPTIONS: COUNTING })
  const rounds = []
  for (let n = 0; n < ROUNDS; n++) rounds.push(await oneRound())
  const middle = (pick) => rounds.map(pick).sort((a, b) => a - b)[rounds.length >> 1]
  const node = middle(({ cpu }) => cpu.node)
  const memory = middle((round) => round.memory)
  return [
    ...Object.entries(LIMITS).flatMap(([name, limits]) => {
      const taken = middle(({ cpu }) => cpu[name])
      const detail = `${taken.toFixed(0)} ms against ${node.toFixed(0)} ms CPU`
      const count = { what: `modules of ${name}`, value: modules[name], limit: limits.modules, unit: '' }
      return [
        { ...count, detail: "without Node's own" },
        { what: `CPU of ${name}`, value: taken / node, limit: limits.cpu, unit: ' × node -e 0', detail },
      ]
    }),
    {
      what: 'memory of a runner',
      value: memory,
      limit: LIMITS.runner.memory,
      unit: ' MB',
      detail: 'that it does not share',
    },
  ]
}

async function oneRound(more = {}) {
  const home = mkdtempSync(join(tmpdir(), 'amux-load-'))
  const envOf = (name) => ({ ...environment(home), MODULES_FILE: join(home, `modules.${name}`), ...more })
  for (const name of ['bin', 'work']) mkdirSync(join(home, name))
  writeFileSync(join(home, 'bin', 'claude'), AGENT)
  chmodSync(join(home, 'bin', 'claude'), 0o755)
  const serving = [CLI, 'serve', '--port', '0']
  const daemon = spawn(process.execPath, serving, { env: envOf('daemon'), stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    await once(daemon.stdout, 'data')
    const cpu = { node: cpuOf('node -e 0', 3), daemon: cpuMs(daemon.pid) }
    for (const [name, args] of Object.entries(COMMANDS)) {
      cpu[name] = cpuOf([process.execPath, CLI, ...args].join(' '), 1, { env: envOf(name), cwd: join(home, 'work') })
    }
    const runner = await idleRunner(home)
    cpu.runner = cpuMs(runner)
    const pids = { daemon: daemon.pid, runner }
    return { cpu, memory: ownMb(runner), modules: more.NODE_OPTIONS && modulesOf(home, pids) }
  } finally {
    for (const { id } of await clientOf(home).call('listSessions')) await clientOf(home).call('kill', { id })
    daemon.kill('SIGTERM')
    await once(daemon, 'exit')
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

function environment(home) {
  const PATH = `${join(home, 'bin')}:${process.env.PATH}`
  return { PATH, HOME: home, AGENT_MUX_CONFIG_DIR: home, AGENT_MUX_PROJECT_DIR: home, LANG: 'C.UTF-8' }
}

function clientOf(home) {
  const data = join(home, 'data')
  const { port } = JSON.parse(readFileSync(join(data, 'daemon.json'), 'utf8'))
  const token = readFileSync(join(data, 'token'), 'utf8')
  return new DaemonClient({ address: { url: `http://127.0.0.1:${port}`, token } })
}

/** The process of the runner whose agent has had its turn. */
async function idleRunner(home) {
  for (let n = 0; n < 600; n++) {
    const [session] = await clientOf(home).call('listSessions')
    if (session?.usage.turns === 1) {
      const info = join(home, 'data', 'launches', `${session.id}-1`, 'runner.json')
      return JSON.parse(readFileSync(info, 'utf8')).runner.pid
    }
    await sleep(100)
  }
  throw new Error('the session had no turn')
}

function modulesOf(home, pids) {
  const lines = (name) =>
    readFileSync(join(home, `modules.${name}`), 'utf8')
      .trimEnd()
      .split('\n')
  const ofProcess = ([name, pid]) => [name, lines('daemon').filter((line) => line.startsWith(`${pid} `)).length]
  const ofCommand = (name) => [name, lines(name).length]
  return Object.fromEntries([...Object.entries(pids).map(ofProcess), ...Object.keys(COMMANDS).map(ofCommand)])
}

function ownMb(pid) {
  return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / 1024
}
