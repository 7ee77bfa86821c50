import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { loadAdapterFor } from '../dist/adapters/index.js'
import { Translator } from '../dist/engine/translator.js'
import { SUBJECTS, subject } from './dialects.mjs'

const ROUNDS = 8
const PROCESSES = 3
const [LIMIT_OF_CLAUDE, LIMIT] = [1.5, 1.8]
const SELF = fileURLToPath(import.meta.url)

const HANDLER = {
  onEvent() {},
  onWrite() {},
  onCloseStdin() {},
  onFailure() {},
  onHost() {},
  onHttp() {},
  onEndProcess() {},
}

/**
 * Parse and normalise the stream of each dialect, against `JSON.parse` of each of its lines. Each in a process of its
 * own, as runs are: what the compiler learned from one dialect does not slow the next.
 */
export async function measure() {
  return SUBJECTS.map((name, index) => {
    const { base, mine, lines, events } = inTheMiddle(Array.from({ length: PROCESSES }, () => inProcess(name)))
    const perLine = (ms) => `${((ms * 1000) / lines).toFixed(2)} µs`
    return {
      what: `parse and normalise ${name}`,
      value: mine / base,
      limit: index === 0 ? LIMIT_OF_CLAUDE : LIMIT,
      unit: ' × JSON.parse',
      detail: `${perLine(mine)} against ${perLine(base)} a line, ${events} events`,
    }
  })
}

function inProcess(name) {
  return JSON.parse(execFileSync(process.execPath, [SELF, name], { encoding: 'utf8' }))
}

/** The compiler decides again in every process, and not always as well. */
function inTheMiddle(results) {
  return results.sort((a, b) => a.mine / a.base - b.mine / b.base)[Math.floor(results.length / 2)]
}

async function measureOne(name) {
  const { agent, lines, isDocument } = subject(name)
  const adapter = await loadAdapterFor(agent, {})
  const options = { agent, prompt: '', nonInteractive: true }
  let events = 0
  const ours = () => {
    events = 0
    const dialogue = adapter.createDialogue(options)
    const handler = { ...HANDLER, onEvent: () => (events += 1) }
    const translator = new Translator({ runId: '0'.repeat(26), options, now: Date.now }, handler)
    for (const line of lines) translator.line(dialogue, line, 'stdout')
    translator.finish(null)
  }
  const parse = isDocument ? () => JSON.parse(lines.join('\n')) : () => parseEach(lines)
  // Turn by turn, so that a noisy moment hits both; the best of each, because noise only ever adds.
  let [base, mine] = [cpuOf(parse), cpuOf(ours)]
  for (let round = 1; round < ROUNDS; round++) {
    base = Math.min(base, cpuOf(parse))
    mine = Math.min(mine, cpuOf(ours))
  }
  return { base, mine, lines: lines.length, events }
}

function parseEach(lines) {
  let objects = 0
  for (const line of lines) if (JSON.parse(line) !== null) objects += 1
  return objects
}

/** In milliseconds. */
function cpuOf(work) {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

if (process.argv[1] === SELF) console.log(JSON.stringify(await measureOne(process.argv[2])))
