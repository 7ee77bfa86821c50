// An ACP agent on the official SDK. What a turn does is in the words of its prompt. The first argument is JSON:
// `{ "capabilities": …, "authMethods": …, "needsAuth": …, "configOptions": …, "modes": …, "late": … }`.
import { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { agent, ndJsonStream, RequestError } from '@agentclientprotocol/sdk/unstable'

const settings = JSON.parse(process.argv[2] ?? '{}')
let client
let clientCapabilities
let isSignedIn = !settings.needsAuth
let cancelled = new AbortController()
const chosen = {}
const opened = []

const sessionId = 'session-1'
const update = (fields, id = sessionId) => client.notify('session/update', { sessionId: id, update: fields })
const text = (words, extra = {}) =>
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words }, ...extra })
const call = (fields) => update({ sessionUpdate: 'tool_call', ...fields })
const callUpdate = (fields) => update({ sessionUpdate: 'tool_call_update', ...fields })

const OPTIONS = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'ever', name: 'Always', kind: 'allow_always' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
]

function ask(toolCall, options = OPTIONS) {
  return client.request('session/request_permission', { sessionId, toolCall, options })
}

/** Replays a conversation, as `session/load` has to. */
async function replay() {
  await update({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'old question' } })
  await text('old answer')
  await call({
    toolCallId: 'old',
    title: 'old call',
    kind: 'execute',
    status: 'completed',
    rawInput: { command: 'old' },
  })
  await update({ sessionUpdate: 'usage_update', used: 10, size: 1000, cost: { amount: 0.5, currency: 'USD' } })
}

const TURNS = {
  async hello(words) {
    await update({ sessionUpdate: 'available_commands_update', availableCommands: [] })
    await text('Hello ')
    await text(`you said: ${words}`)
    await update({ sessionUpdate: 'usage_update', used: 30, size: 1000, cost: { amount: 0.75, currency: 'USD' } })
    return { usage: { inputTokens: 10, outputTokens: 5, totalTokens: 25, cachedReadTokens: 10 } }
  },
  async thoughts() {
    const content = { type: 'text', text: 'step by step' }
    await update({ sessionUpdate: 'agent_thought_chunk', content })
    const entries = [{ content: 'first', priority: 'high', status: 'pending' }]
    await update({ sessionUpdate: 'plan', entries })
    await text('42')
  },
  async permission() {
    const toolCall = {
      toolCallId: 'c1',
      title: 'rm it',
      kind: 'execute',
      status: 'pending',
      rawInput: { command: 'rm x' },
    }
    await call(toolCall)
    const { outcome } = await ask(toolCall)
    if (outcome.outcome === 'selected' && outcome.optionId !== 'no') {
      await callUpdate({
        toolCallId: 'c1',
        status: 'completed',
        content: [],
        rawOutput: { output: 'gone\n', exit_code: 0 },
      })
    } else await callUpdate({ toolCallId: 'c1', status: 'failed', rawOutput: { message: 'rejected' } })
    await text(`outcome ${outcome.outcome} ${outcome.optionId ?? ''}`)
  },
  async edit() {
    const content = [{ type: 'diff', path: '/w/a.txt', oldText: 'one\ntwo\n', newText: 'one\nTWO\n' }]
    const toolCall = { toolCallId: 'e1', title: 'Edit a.txt', kind: 'edit', status: 'pending', content }
    const { outcome } = await ask(toolCall)
    await callUpdate({ toolCallId: 'e1', status: outcome.optionId === 'yes' ? 'completed' : 'failed', content })
    await text(`outcome ${outcome.optionId}`)
  },
  async read(path) {
    const answer = await client.request('fs/read_text_file', { sessionId, path }).catch((error) => error)
    await text(answer.content ?? `error ${answer.code}: ${answer.message}`)
  },
  async write(path) {
    const result = client.request('fs/write_text_file', { sessionId, path, content: 'from the agent\n' })
    await text(
      await result.then(
        () => 'written',
        (error) => `error ${error.code}: ${error.message}`,
      ),
    )
  },
  async 'write-allowed'(path) {
    const toolCall = { toolCallId: 'w1', title: 'Write', kind: 'edit', status: 'pending', locations: [{ path }] }
    await ask(toolCall)
    await TURNS.write(path)
    const content = [{ type: 'diff', path, oldText: null, newText: 'from the agent\n' }]
    await callUpdate({ toolCallId: 'w1', status: 'completed', content })
  },
  async terminal(command) {
    const toolCall = { toolCallId: 't1', title: command, kind: 'execute', status: 'pending', rawInput: { command } }
    await ask(toolCall)
    const terminal = await client.createTerminal({ sessionId, command })
    const content = [{ type: 'terminal', terminalId: terminal.id }]
    await callUpdate({ toolCallId: 't1', status: 'in_progress', content })
    const { exitCode } = await terminal.waitForExit()
    const { output } = await terminal.currentOutput()
    await terminal.release()
    await callUpdate({ toolCallId: 't1', status: 'completed' })
    await text(`exit ${exitCode}: ${output}`)
  },
  async 'terminal-unasked'() {
    const made = client.createTerminal({ sessionId, command: 'touch made-without-asking' })
    await text(
      await made.then(
        () => 'made',
        (error) => `error: ${error.message}`,
      ),
    )
  },
  async 'terminal-stays'() {
    await client.createTerminal({ sessionId, command: 'sleep 300' })
    await text('left it running')
  },
  async form() {
    const requestedSchema = { type: 'object', properties: { colour: { type: 'string', enum: ['Red', 'Blue'] } } }
    const fields = { sessionId, mode: 'form', message: 'Which colour?', requestedSchema }
    const answer = await client.request('elicitation/create', fields)
    await text(`${answer.action} ${answer.content?.colour ?? ''}`)
  },
  async vendor() {
    await client.notify('_vendor/news', { a: 1 })
    const answer = await client.request('_vendor/question', {}).catch((error) => error)
    await text(`code ${answer.code}`)
  },
  async state() {
    await text(JSON.stringify({ chosen, opened, clientCapabilities }))
  },
  async slow() {
    await text('waiting')
    await sleep(60_000, undefined, { signal: cancelled.signal }).catch(() => undefined)
    return { stopReason: 'cancelled' }
  },
  // As one agent does: cancelled or not, it waits for the answer.
  async 'slow-permission'() {
    const toolCall = { toolCallId: 's1', title: 'x', kind: 'execute', rawInput: { command: 'x' } }
    const { outcome } = await ask(toolCall)
    return { stopReason: outcome.outcome === 'cancelled' ? 'cancelled' : 'end_turn' }
  },
  async 'stop-refusal'() {
    return { stopReason: 'refusal' }
  },
  async 'stop-limit'() {
    return { stopReason: 'max_turn_requests' }
  },
  async 'stop-tokens'() {
    await text('half an ans')
    return { stopReason: 'max_tokens' }
  },
  async 'error-status'(words) {
    throw new RequestError(Number(words), JSON.stringify({ error: { message: `status ${words}` } }))
  },
  async 'error-data'(words) {
    throw new RequestError(-32603, 'Internal error', words)
  },
  async 'error-auth'() {
    throw new RequestError(-32000, 'Authentication required')
  },
  async 'error-text'() {
    await text('Error: 401 Unauthorized')
  },
  async crash() {
    process.exit(7)
  },
  async subsession() {
    const content = { type: 'text', text: 'not mine' }
    await update({ sessionUpdate: 'agent_message_chunk', content }, 'another-session')
    await text('mine')
  },
}

function open(method, params) {
  if (!isSignedIn) throw new RequestError(-32000, 'Authentication required')
  opened.push({ method, ...params })
  return { modes: settings.modes, configOptions: settings.configOptions }
}

const app = agent({ name: 'acp-agent' })
  .onRequest('initialize', (context) => {
    client = context.client
    clientCapabilities = context.params.clientCapabilities
    return {
      protocolVersion: 1,
      agentCapabilities: settings.capabilities ?? {},
      authMethods: settings.authMethods ?? [],
      agentInfo: { name: 'acp-agent', version: '1.0.0' },
    }
  })
  .onRequest('authenticate', ({ params }) => {
    if (params.methodId !== 'env-key') throw new RequestError(-32602, `Unsupported auth method: ${params.methodId}`)
    isSignedIn = true
    return {}
  })
  .onRequest('session/new', ({ params }) => ({ sessionId, ...open('new', params) }))
  .onRequest('session/fork', ({ params }) => ({ ...open('fork', params), sessionId }))
  .onRequest('session/resume', ({ params }) => open('resume', params))
  .onRequest('session/load', async ({ params }) => {
    if (params.sessionId !== sessionId) throw new RequestError(-32002, `Session not found: ${params.sessionId}`)
    const result = open('load', params)
    if (settings.late) setTimeout(() => void lateReplay(), 20)
    else await replay()
    return result
  })
  .onRequest('session/set_mode', ({ params }) => {
    chosen.mode = params.modeId
    return {}
  })
  .onRequest('session/set_config_option', ({ params }) => {
    if (params.value === 'no-such-model') throw new RequestError(-32602, 'Unknown model: no-such-model')
    chosen[params.configId] = params.value
    return {
      configOptions: settings.configOptions.map((option) =>
        option.id in chosen ? { ...option, currentValue: chosen[option.id] } : option,
      ),
    }
  })
  .onRequest('session/prompt', async ({ params }) => {
    cancelled = new AbortController()
    const words = params.prompt.at(-1).text
    const [name, ...rest] = words.split('\n').at(-1).split(' ')
    if (name === 'blocks') {
      await text(JSON.stringify(params.prompt))
      return { stopReason: 'end_turn' }
    }
    const result = await (TURNS[name] ?? TURNS.hello)(rest.join(' '))
    return { stopReason: 'end_turn', ...result }
  })
  .onNotification('session/cancel', () => cancelled.abort())

/** As one agent does: the history comes after the answer. */
async function lateReplay() {
  await replay()
  await update({ sessionUpdate: 'available_commands_update', availableCommands: [] })
}

app.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)))
process.stdin.on('end', () => process.exit(0))
