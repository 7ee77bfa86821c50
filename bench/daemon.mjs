import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DaemonClient } from '../dist/client/index.js'
import { claudeStream } from './corpus.mjs'
import { cpuMs } from './cpu.mjs'

const LINES = 100_000
const DISCONNECTS = 20
const SESSIONS = 50
const STREAMING = 10
const WINDOW_MS = 4000
const WINDOWS = 5
/** Each event has one. */
const MARK = '\nid: '
const CLI = fileURLToPath(new URL('../bin/amux.js', import.meta.url))

// `flood` prints the whole stream at once, `drip` a piece of text ten times a second; anything else is a short turn.
const AGENT = (stream) => `#!/bin/sh
[ "$1" = --version ] && echo '2.1.325 (Claude Code)' && exit 0
ids='"session_id":"565fa31e-b1db-443a-94a3-c9dbf5947026","uuid":"u"'
while read -r line; do
  case $line in
    *'"content":"flood'*) cat '${stream}' ;;
    *'"content":"drip'*)
      while :; do
        echo '{"type":"assistant","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"word"}],"usage":{}},'"$ids"'}'
        sleep 0.1
      done ;;
    *'"type":"user"'*)
      echo '{"type":"system","subtype":"init","cwd":"/w","tools":[],"mcp_servers":[],"model":"m",'"$ids"'}'
      echo '{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"","usage":{},'"$ids"'}' ;;
  esac
done
`

/** Events from an agent's stdout through the runner's durable log and the daemon's database to a reader. */
export async function measure() {
  const home = mkdtempSync(join(tmpdir(), 'amux-bench-'))
  const env = environment(home)
  const daemon = spawn(process.execPath, [CLI, 'serve', '--port', '0'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    await once(daemon.stdout, 'data')
    const address = addressOf(home)
    const client = new DaemonClient({ address })
    await sleep(2000)
    const idleMb = residentMb(daemon.pid)
    const flow = await flood(client, daemon.pid, home)
    const read = await throughput(address, flow.frames)
    const latency = await manySessions(client, home)
    return report({ idleMb, flow, read, latency })
  } finally {
    const client = new DaemonClient({ address: addressOf(home), retries: 0 })
    const live = await client.call('listSessions', { live: true, limit: 1000 })
    await Promise.all(live.map(({ id }) => client.call('kill', { id })))
    daemon.kill('SIGTERM')
    await once(daemon, 'exit')
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

function environment(home) {
  const bin = join(home, 'bin')
  const stream = join(home, 'stream.jsonl')
  mkdirSync(bin)
  mkdirSync(join(home, 'work'))
  writeFileSync(stream, `${[...claudeStream(LINES)].join('\n')}\n`)
  writeFileSync(join(bin, 'claude'), AGENT(stream))
  chmodSync(join(bin, 'claude'), 0o755)
  return { PATH: `${bin}:${process.env.PATH}`, HOME: home, AGENT_MUX_CONFIG_DIR: home, AGENT_MUX_PROJECT_DIR: home }
}

function addressOf(home) {
  const data = join(home, 'data')
  const { port } = JSON.parse(readFileSync(join(data, 'daemon.json'), 'utf8'))
  return { url: `http://127.0.0.1:${port}`, token: readFileSync(join(data, 'token'), 'utf8') }
}

function residentMb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / 1024
}

/** One agent says all it has at once, while a reader that loses its connection again and again takes it in. */
async function flood(client, daemonPid, home) {
  const { id } = await client.call('spawn', { agent: 'claude', prompt: 'hello', cwd: join(home, 'work') })
  const info = JSON.parse(readFileSync(join(home, 'data', 'launches', `${id}-1`, 'runner.json'), 'utf8'))
  await sleep(1000)
  const pids = [daemonPid, info.runner.pid]
  const before = pids.map(cpuMs)
  const { lastSeq: from } = await client.call('health')
  const started = performance.now()
  await client.call('send', { id, text: 'flood' })
  const { seen, disconnects } = await readWithDisconnects(client, from)
  const seconds = (performance.now() - started) / 1000
  const cpu = pids.map((pid, index) => cpuMs(pid) - before[index])
  const lost = seen.at(-1) - from - new Set(seen).size
  const repeated = seen.length - new Set(seen).size
  const events = seen.length
  return { events, seconds, cpu, lost, repeated, disconnects, frames: { from, count: events } }
}

async function readWithDisconnects(client, from) {
  const seen = []
  let disconnects = 0
  let isOver = false
  while (!isOver) {
    const stop = new AbortController()
    let left = disconnects < DISCONNECTS ? 1 + Math.floor((Math.random() * LINES) / DISCONNECTS) : Infinity
    for await (const change of client.changes({ after: seen.at(-1) ?? from, signal: stop.signal })) {
      seen.push(change.seq)
      isOver = change.kind === 'event' && change.event.type === 'turn_end'
      left -= 1
      if (isOver || left <= 0) break
    }
    stop.abort()
    disconnects += isOver ? 0 : 1
  }
  return { seen, disconnects }
}

/** One reader of what is there, against a server that does nothing but send the same bytes. */
async function throughput(address, { from, count }) {
  const headers = { authorization: `Bearer ${address.token}`, accept: 'text/event-stream' }
  const frames = []
  const mine = await readFrames(`${address.url}/api/v1/events?after=${from}`, headers, count, frames)
  const text = frames.join('')
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let at = 0; at < text.length; at += 65_536) response.write(text.slice(at, at + 65_536))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bare = await readFrames(`http://127.0.0.1:${server.address().port}/`, {}, count)
  server.closeAllConnections()
  server.close()
  return { mine, bare }
}

/** Events a second. */
async function readFrames(url, headers, count, keep) {
  const started = performance.now()
  const stop = new AbortController()
  const response = await fetch(url, { headers, signal: stop.signal })
  const decoder = new TextDecoder()
  let seen = 0
  let rest = ''
  for await (const chunk of response.body) {
    const piece = decoder.decode(chunk, { stream: true })
    keep?.push(piece)
    const text = rest + piece
    for (let at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, at + 1)) seen += 1
    rest = text.slice(1 - MARK.length) // a mark may be torn apart, but is never counted twice
    if (seen >= count) break
  }
  stop.abort()
  return seen / ((performance.now() - started) / 1000)
}

/**
 * How old an event is when a reader has it, while many sessions live and some of them talk. The quietest of several
 * windows counts, because other programs on the machine delay everybody; how late a bare timer was says how much.
 */
async function manySessions(client, home) {
  const start = (prompt) => client.call('spawn', { agent: 'claude', prompt, cwd: join(home, 'work') })
  const ids = []
  for (let n = 0; n < SESSIONS; n++) ids.push((await start(n < STREAMING ? 'drip' : 'hello')).id)
  const windows = []
  for (let n = 0; n < WINDOWS; n++) windows.push(await latencyWindow(client))
  const { live } = await client.call('health')
  await Promise.all(ids.map((id) => client.call('kill', { id })))
  return { live, ...windows.toSorted((a, b) => a.p99 - b.p99)[0] }
}

async function latencyWindow(client) {
  const ages = []
  const late = []
  const stop = new AbortController()
  setTimeout(() => stop.abort(), WINDOW_MS)
  let expected = performance.now() + 10
  const timer = setInterval(() => {
    late.push(Math.max(0, performance.now() - expected))
    expected = performance.now() + 10
  }, 10)
  for await (const change of client.changes({ signal: stop.signal })) {
    if (change.kind === 'event') ages.push(Date.now() - change.event.timestamp)
  }
  clearInterval(timer)
  return {
    p99: percentile(ages, 0.99),
    median: percentile(ages, 0.5),
    late: percentile(late, 0.99),
    events: ages.length,
  }
}

function percentile(values, part) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.POSITIVE_INFINITY
}

function report({ idleMb, flow, read, latency }) {
  const { events, seconds, cpu, lost, repeated, disconnects } = flow
  const each = (ms) => (ms * 1000) / events
  const rate = (perSecond) => `${Math.round(perSecond).toLocaleString('en')} events/s`
  return [
    { what: 'idle daemon', value: idleMb, limit: 90, unit: ' MB', detail: 'resident' },
    {
      what: `stdout to SSE with the durable log, ${events} events`,
      value: each(cpu[0] + cpu[1]),
      limit: 100,
      unit: ' µs CPU each',
      detail: `daemon ${each(cpu[0]).toFixed(1)}, runner ${each(cpu[1]).toFixed(1)}; live ${rate(events / seconds)}`,
    },
    {
      what: `lost or repeated over ${disconnects} random disconnects`,
      value: lost + repeated,
      limit: 0,
      unit: '',
      detail: `${lost} lost, ${repeated} repeated of ${events}`,
    },
    {
      what: 'time for 20,000 events to one reader',
      value: 20_000 / read.mine,
      limit: 1,
      unit: ' s',
      detail: `${rate(read.mine)}; a bare server gives ${rate(read.bare)}`,
    },
    {
      what: `event to client, ${latency.live} live sessions, ${STREAMING} of them talking`,
      value: latency.p99,
      limit: 50,
      unit: ' ms p99',
      detail: `median ${latency.median} ms of ${latency.events} events; a bare timer was ${latency.late.toFixed(0)} ms late (p99)`,
    },
  ]
}
