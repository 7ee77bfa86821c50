import { ClaudeAdapter } from '../dist/adapters/claude/index.js'
import { loadAdapterFor } from '../dist/adapters/index.js'
import { Translator } from '../dist/engine/translator.js'
import { claudeStream } from './corpus.mjs'
import { documents, streams } from './dialects.mjs'

const LINES = 200_000
const DIALECT_LINES = 50_000
const PAYLOADS = 5_000
const ROUNDS = 5

const HANDLER = {
  onEvent() {},
  onWrite() {},
  onCloseStdin() {},
  onFailure() {},
  onHost() {},
  onHttp() {},
  onEndProcess() {},
}

/** Parse and normalise the stream of each dialect, against `JSON.parse` of each of its lines. */
export async function measure() {
  const claude = [...claudeStream(LINES)]
  const results = [ratio('200,000 lines of Claude', new ClaudeAdapter(), 'claude', claude, 1.5)]
  for (const { name, agent, lines } of streams(DIALECT_LINES)) {
    results.push(ratio(name, await loadAdapterFor(agent, {}), agent, lines, 1.8))
  }
  for (const { agent, lines } of documents(PAYLOADS)) {
    results.push(ratio(agent, await loadAdapterFor(agent, {}), agent, lines, 1.8, parseAll))
  }
  return results
}

function parseEach(lines) {
  let objects = 0
  for (const line of lines) if (JSON.parse(line) !== null) objects += 1
  return objects
}

/** Of a document over many lines. */
function parseAll(lines) {
  return JSON.parse(lines.join('\n'))
}

function ratio(name, adapter, agent, lines, limit, parse = parseEach) {
  const options = { agent, prompt: '', nonInteractive: true }
  let events = 0
  const ours = () => {
    const dialogue = adapter.createDialogue(options)
    const handler = { ...HANDLER, onEvent: () => (events += 1) }
    const translator = new Translator({ runId: '0'.repeat(26), options, now: Date.now }, handler)
    for (const line of lines) translator.line(dialogue, line, 'stdout')
    translator.finish(null)
  }
  const [base, mine] = [time(() => parse(lines)), time(ours)]
  const perLine = (ms) => `${((ms * 1000) / lines.length).toFixed(2)} µs`
  return {
    what: `parse and normalise ${name}`,
    value: mine / base,
    limit,
    unit: ' × JSON.parse',
    detail: `${perLine(mine)} against ${perLine(base)} a line, ${Math.round(events / (ROUNDS + 1))} events`,
  }
}

/** The best of several rounds, after one to warm up: noise only ever adds. */
function time(work) {
  work()
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(start)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}
