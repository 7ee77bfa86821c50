import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fillOnce, npmInstall } from '../dist/toolchain/npm.js'
import { cacheDirectory } from '../dist/toolchain/private-install.js'
import { writeClaudeCorpus } from './session-corpus.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const CCUSAGE = { name: `@ccusage/ccusage-${process.platform}-${process.arch}`, version: '20.0.24' }
const ROUNDS = 5

/** The program that others count with: Rust, one binary for each platform. */
async function installCcusage() {
  const target = join(cacheDirectory(process.env), 'bench', `ccusage-${CCUSAGE.version}`)
  await fillOnce(target, (scratch) => npmInstall(scratch, CCUSAGE.name, CCUSAGE.version))
  const binary = join(target, 'node_modules', CCUSAGE.name, 'bin', 'ccusage')
  // In the package it is a plain file.
  chmodSync(binary, 0o755)
  return binary
}

/** User and system time of one program in milliseconds, and what it has printed. */
function cpuOf(home, command) {
  const script = `TIMEFORMAT='%U %S'; time { ${command}; }`
  const env = { HOME: home, PATH: process.env.PATH }
  const output = execFileSync('bash', ['-c', `exec 3>&1; { ${script} 2>/dev/null >&3; } 2>&1`], {
    encoding: 'utf8',
    env,
    maxBuffer: 1 << 28,
  })
  const lines = output.trimEnd().split('\n')
  const [user, system] = lines.pop().split(' ').map(Number)
  return { ms: (user + system) * 1000, printed: lines.join('\n') }
}

/** A question to `mux.sessions` in a process of its own: the CPU of the question alone, and the most memory. */
function ask(home, question, before = '() => {}') {
  const script = `
    import { createClient } from ${JSON.stringify(`${root}dist/index.js`)}
    const { sessions, adapters } = createClient()
    const cpu = (since) => { const { user, system } = process.cpuUsage(since); return (user + system) / 1000 }
    await (${before})(sessions, adapters)
    const start = process.cpuUsage()
    const answer = await (${question})(sessions, adapters)
    console.log(JSON.stringify({ ms: cpu(start), answer, megabytes: process.resourceUsage().maxRSS / 1000 }))
    sessions.close()`
  const env = { HOME: home, PATH: process.env.PATH }
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', env })
  return JSON.parse(output)
}

const forget = (home) => rmSync(join(home, '.agent-mux'), { recursive: true, force: true })

/** The least of several: noise only ever adds. */
function least(measure, rounds = ROUNDS) {
  const all = Array.from({ length: rounds }, measure)
  return all.reduce((best, one) => (one.ms < best.ms ? one : best))
}

function mustEqual(what, value, expected) {
  if (value !== expected) throw new Error(`${what}: ${value}, but the corpus has ${expected}`)
}

async function measureTotals(home) {
  const truth = writeClaudeCorpus(home, { files: 500, bytesPerFile: 425_000 })
  const binary = await installCcusage()
  const theirs = least(() => cpuOf(home, `'${binary}' claude daily --json --offline`))
  const cold = least(() => {
    forget(home)
    return cpuOf(home, `'${process.execPath}' '${root}bin/amux.js' cost --agent claude --json`)
  })
  const ours = JSON.parse(cold.printed).data
  for (const name of ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheCreationTokens']) {
    mustEqual(`amux cost ${name}`, ours[name], truth[name])
  }
  mustEqual('amux cost sessionCount', ours.sessionCount, truth.sessions)
  const { totalTokens } = JSON.parse(theirs.printed).totals
  const warm = least(() => ask(home, '(sessions) => sessions.totalCost({ agent: "claude" })'))
  mustEqual('warm outputTokens', warm.answer.outputTokens, truth.outputTokens)
  forget(home)
  const { megabytes } = ask(home, '(sessions) => sessions.totalCost({ agent: "claude" })')
  const corpus = `${truth.files} files, ${truth.megabytes.toFixed(0)} MB, ${truth.requests} requests`
  const isEqual = totalTokens === truth.inputTokens + truth.outputTokens
  return [
    {
      what: `cold totals of ${corpus}, exact to the token`,
      value: cold.ms / theirs.ms,
      limit: 1,
      unit: ' × ccusage',
      detail: `CPU of the processes, ${cold.ms.toFixed(0)} ms \`amux cost\` against ${theirs.ms.toFixed(0)} ms ccusage ${CCUSAGE.version}, which ${isEqual ? 'counts the same' : `counts ${totalTokens} tokens`}`,
    },
    {
      what: 'warm totals',
      value: warm.ms / theirs.ms,
      limit: 0.1,
      unit: ' × ccusage',
      detail: `CPU of the first \`totalCost()\` of a process, ${warm.ms.toFixed(0)} ms, without the start of Node`,
    },
    { what: 'memory of cold totals', value: megabytes, limit: 150, unit: ' MB', detail: 'the most that was resident' },
  ]
}

function measureLists(home) {
  const { files, megabytes } = writeClaudeCorpus(home, { files: 1000, bytesPerFile: 1_000_000 })
  const parse = ask(
    home,
    `async (_sessions, adapters) => {
      const adapter = await adapters.load('claude')
      let last
      for (const file of await adapter.listSessionFiles()) last = (await adapter.parseSessionFile(file)).sessionId
      return last
    }`,
  )
  forget(home)
  const first = ask(home, '(sessions) => sessions.list()')
  mustEqual('sessions listed', first.answer.length, 100)
  const filled = ask(home, '(sessions) => sessions.refresh({ text: true })')
  // The second question of a process: what is loaded for the first one is the same for one session as for a thousand.
  const again = (question) => least(() => ask(home, question, question))
  const list = again('(sessions) => sessions.list()')
  mustEqual('sessions listed', list.answer.length, 100)
  const get = again(`(sessions) => sessions.get('claude', ${JSON.stringify(parse.answer)})`)
  mustEqual('session found', get.answer.sessionId, parse.answer)
  const search = again(`(sessions) => sessions.search({ text: 'parser word42' })`)
  if (search.answer.length === 0) throw new Error('nothing was found')
  const what = `of ${files} sessions, ${megabytes.toFixed(0)} MB`
  const against = `CPU, against ${parse.ms.toFixed(0)} ms to parse all`
  return [
    {
      what: `list ${what}`,
      value: list.ms / parse.ms,
      limit: 0.02,
      unit: ' × parsing all',
      detail: `${list.ms.toFixed(0)} ms ${against}; the very first one reads the newest hundred, ${first.ms.toFixed(0)} ms`,
    },
    {
      what: `get one ${what}`,
      value: get.ms / parse.ms,
      limit: 0.005,
      unit: ' × parsing all',
      detail: `${get.ms.toFixed(1)} ms ${against}; needs no index`,
    },
    {
      what: `search ${what}, warm`,
      value: search.ms,
      limit: 100,
      unit: ' ms',
      detail: `CPU; the first search has to read all, ${(filled.ms / 1000).toFixed(1)} s`,
    },
  ]
}

/** All sessions in one place, on a corpus whose truth is known. */
export async function measure() {
  const homes = ['totals', 'lists'].map((name) => mkdtempSync(join(tmpdir(), `amux-bench-${name}-`)))
  try {
    return [...(await measureTotals(homes[0])), ...measureLists(homes[1])]
  } finally {
    for (const home of homes) rmSync(home, { recursive: true, force: true })
  }
}
