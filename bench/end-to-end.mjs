import { spawn } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setImmediate as breathe } from 'node:timers/promises'
import { ClaudeAdapter } from '../dist/adapters/claude/index.js'
import { createClient } from '../dist/index.js'
import { claudeStream } from './corpus.mjs'

const LINES = 200_000
const ROUNDS = 3

/** A child that cats a stream, read through `mux.run` with `for await`, against spawn + split + JSON.parse. */
export async function measure() {
  const directory = mkdtempSync(join(tmpdir(), 'amux-bench-'))
  try {
    const file = join(directory, 'stream.jsonl')
    let count = 0
    await pipeline(
      (function* () {
        for (const line of claudeStream(LINES)) {
          count += 1
          yield `${line}\n`
        }
      })(),
      createWriteStream(file),
    )
    const base = await best(() => baseline(file))
    const mine = await best(() => throughMux(file, directory))
    const slow = await throughMux(file, directory, true)
    const detail = (ms) => `${Math.round(ms)} ms CPU`
    return [
      {
        what: `end to end, ${count} lines`,
        value: mine.ms / base.ms,
        limit: 1.5,
        unit: ' × spawn + split + JSON.parse',
        detail: `${detail(mine.ms)} against ${detail(base.ms)}`,
      },
      {
        what: 'memory above Node while it runs',
        value: Math.max(mine.peakMb, slow.peakMb),
        limit: 120,
        unit: ' MB',
        detail: 'resident, highest of the fast and the slow consumer',
      },
      {
        what: 'events lost with a slow consumer',
        value: mine.events - slow.events,
        limit: 0,
        unit: '',
        detail: `${slow.events} of ${mine.events} arrived`,
      },
    ]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function best(work) {
  let result = await work()
  for (let round = 1; round < ROUNDS; round++) {
    const next = await work()
    if (next.ms < result.ms) result = next
  }
  return result
}

function cpu() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** What anyone would write first. */
async function baseline(file) {
  const start = cpu()
  const child = spawn('cat', [file], { stdio: ['ignore', 'pipe', 'inherit'] })
  let rest = ''
  let objects = 0
  child.stdout.setEncoding('utf8')
  for await (const chunk of child.stdout) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()
    for (const line of lines) if (JSON.parse(line) !== null) objects += 1
  }
  return { ms: cpu() - start, objects }
}

async function throughMux(file, directory, isSlow = false) {
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let peak = before
  const start = cpu()
  const mux = createClient({ projectConfigDir: directory, configDir: directory })
  const claude = new ClaudeAdapter()
  mux.adapters.register(
    Object.assign(Object.create(claude), {
      buildSpawnArgs: () => ({ command: 'cat', args: [file], env: {}, cwd: directory, usePty: false, stdin: '' }),
    }),
  )
  let events = 0
  for await (const event of mux.run({ agent: 'claude', prompt: 'x', nonInteractive: true })) {
    if (event.type !== 'debug') events += 1
    if (events % 2000 === 0) {
      peak = Math.max(peak, process.memoryUsage().rss)
      if (isSlow) await breathe()
    }
  }
  return { ms: cpu() - start, events, peakMb: (peak - before) / 1024 / 1024 }
}
