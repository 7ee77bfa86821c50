// A two-way agent with a JSON line protocol. What it does in a turn is said by the words of the prompt.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const say = (record) => console.log(JSON.stringify(record))
const emit = (type, fields = {}) => say({ emit: { type, ...fields } })
// What comes before it is asked for waits, as it would in a pipe.
const inputs = []
let onInput = null
const answer = async () => inputs.shift() ?? new Promise((resolve) => (onInput = resolve))
function hear(command) {
  const waiting = onInput
  onInput = null
  if (waiting) waiting(command)
  else inputs.push(command)
}
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const ask = { interactionId: 'q1', question: 'which one?', source: 'agent' }
const approval = { interactionId: 'a1', action: 'run', detail: 'rm -rf build', toolName: 'shell', riskLevel: 'high' }

/** How often this has been called with the same file: the processes of one run share it. */
function count(file) {
  const next = (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0) + 1
  writeFileSync(file, String(next))
  return next
}

const WORDS = {
  say: (text) => emit('text_delta', { delta: text }),
  encoded: (text) => WORDS.say(decodeURIComponent(text)),
  tool: () => {
    emit('tool_call_start', { toolCallId: 't1', toolName: 'shell' })
    emit('tool_result', { toolCallId: 't1', toolName: 'shell', output: 'ok' })
  },
  wait: (ms) => wait(Number(ms)),
  message: () => emit('message_stop', { text: '' }),
  approve: async () => {
    emit('approval_request', approval)
    say({ emit: { type: 'text_delta', delta: JSON.stringify(await answer()) } })
  },
  ask: async () => {
    emit('input_required', ask)
    say({ emit: { type: 'text_delta', delta: JSON.stringify(await answer()) } })
  },
  cost: (usd) => emit('cost', { cost: { totalUsd: Number(usd), inputTokens: 1, outputTokens: 1 } }),
  usage: (tokens) => emit('token_usage', { inputTokens: Number(tokens), outputTokens: 0, model: 'm1' }),
  // Until it is interrupted.
  hang: async () => {
    for (;;) if ((await answer()).type === 'interrupt') return { fail: 'cancelled', message: 'interrupted' }
  },
  steered: async () => say({ emit: { type: 'text_delta', delta: (await answer()).text } }),
  fail: (kind) => ({ fail: kind, message: kind }),
  // Fails in its first n processes.
  flaky: (spec) => {
    const [file, times, kind, ms] = spec.split(',')
    if (count(decodeURIComponent(file)) > Number(times)) return undefined
    if (kind === 'crash') process.exit(9)
    return { fail: kind, message: kind, retryAfterMs: ms === undefined ? undefined : Number(ms) }
  },
  crash: (code) => process.exit(Number(code)),
  stall: () => new Promise(() => {}),
  pid: () => emit('debug', { level: 'info', message: `pid ${process.pid}` }),
  'ignore-eof': () => {
    ignoreEof = true
    setInterval(() => {}, 1000)
  },
  empty: () => ({ empty: true }),
}

let ignoreEof = false
let busy = Promise.resolve()
async function turn(text) {
  const words = text.split(' ').map((word) => word.split(':'))
  if (text !== 'empty') emit('turn_start')
  for (const [word, value] of words) {
    const result = await (WORDS[word] ?? (() => WORDS.say(word)))(value ?? '')
    if (result?.fail) say(result)
    if (result?.fail) break
  }
  emit('turn_end')
}

emit('session_start', { sessionId: 's1', resumed: false })
const input = createInterface({ input: process.stdin })
input.on('line', (line) => {
  const command = JSON.parse(line)
  if (command.type === 'user_turn') busy = busy.then(() => turn(command.text))
  else hear(command)
})
input.on('close', () => busy.then(() => ignoreEof || process.exit(0)))
