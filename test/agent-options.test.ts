import { describe, expect, test } from 'vitest'
import { builtInAdapters } from '../src/adapters/index.ts'
import type { AgentAdapter } from '../src/contract/adapter.ts'
import type { Dialogue, Effect, HostResult, HttpResponse } from '../src/contract/dialogue.ts'
import { AgentMuxError } from '../src/contract/errors.ts'
import type { OptionName } from '../src/contract/options.ts'
import type { RunOptions } from '../src/contract/run-options.ts'
import { gateCapabilities } from '../src/core/gate-capabilities.ts'
import { asRecord, parseRecord } from '../src/core/json.ts'
import { promptWithSchema } from '../src/core/output-schema.ts'
import { createDialogue } from '../src/engine/default-dialogue.ts'
import { Normaliser } from '../src/engine/normaliser.ts'

/** What agent-mux keeps itself, whatever the agent: the agent need not hear of it. */
const OURS: ReadonlySet<OptionName> = new Set<OptionName>([
  ...(['agent', 'prompt', 'debug', 'outputFormat', 'profile', 'lenient', 'stream', 'cwd', 'tags', 'runId'] as const),
  ...(['projectId', 'continuedFrom', 'keepOpen', 'gracePeriodMs', 'eventBufferSize', 'collectEvents'] as const),
  ...([
    'invocation',
    'onInputRequired',
    'onApprovalRequest',
    'policy',
    'signal',
    'passEnv',
    'nonInteractive',
    'price',
    'retryPolicy',
  ] as const),
  ...([
    'timeout',
    'firstEventTimeout',
    'limitGraceMs',
    'outageGraceMs',
    'retryMaxWaitMs',
    'exitGraceMs',
    'inactivityTimeout',
    'maxCostUsd',
  ] as const),
])

const UUID = '0199a213-81c0-7800-8aa1-bbab2a035a53'

/** What an agent does in any case. */
const LIKE_THE_DEFAULT: Readonly<Record<string, readonly string[]>> = {
  // It keeps no session of a run.
  openclaw: ['noSession'],
  // Without a dialogue nobody can allow what `standard` asks for.
  letta: ['approvalMode'],
}

type Sample = Partial<RunOptions>

/** Values of every option that the agent has to keep; each by itself. */
const SAMPLES: { [Name in Exclude<OptionName, never>]?: readonly Sample[] } = {
  model: [{ model: 'openai/sample' }],
  outputSchema: [{ outputSchema: { type: 'object', properties: { sample: { type: 'string' } } } }],
  // The wider modes are kept by the answers to what the agent asks, and asked or not is its own affair.
  approvalMode: [{ approvalMode: 'deny' }],
  allowedTools: [{ allowedTools: ['Sample'] }],
  disallowedTools: [{ disallowedTools: ['Sample'] }],
  sessionId: [{ sessionId: UUID }],
  forkSessionId: [{ forkSessionId: UUID }],
  noSession: [{ noSession: true }],
  newSessionId: [{ newSessionId: UUID }],
  thinkingEffort: [{ thinkingEffort: 'high' }],
  thinkingBudgetTokens: [{ thinkingBudgetTokens: 2048 }],
  thinkingOverride: [{ thinkingOverride: { sample: 1 } }],
  temperature: [{ temperature: 0.25 }],
  topP: [{ topP: 0.25 }],
  topK: [{ topK: 7 }],
  maxTokens: [{ maxTokens: 777 }],
  maxOutputTokens: [{ maxOutputTokens: 777 }],
  systemPrompt: [{ systemPrompt: 'sample words' }],
  // Where there is no place to prepend it, a block before the prompt stands for both.
  systemPromptMode: [{ systemPrompt: 'sample words', systemPromptMode: 'replace' }],
  endpoint: [{ endpoint: { baseUrl: 'http://127.0.0.1:9', apiKey: 'sample' } }],
  maxTurns: [{ maxTurns: 3 }],
  addDirs: [{ addDirs: ['/sample'] }],
  attachments: [
    { attachments: [{ base64: 'aGk=', mimeType: 'image/png' }] },
    { attachments: [{ filePath: '/sample.txt', mimeType: 'text/plain' }] },
  ],
  mcpServers: [{ mcpServers: [{ name: 'sample', command: 'sample' }] }],
  skills: [{ skills: ['sample'] }],
  agentsDoc: [{ agentsDoc: 'sample words' }],
  env: [{ env: { SAMPLE: '1' } }],
}

const choice = (id: string, value: string) => ({
  ...{ id, category: id, name: id, type: 'select', currentValue: 'default' },
  options: [
    { value: 'default', name: 'default' },
    { value, name: value },
  ],
})

const SESSION = {
  sessionId: UUID,
  models: { currentModelId: 'm', availableModels: [{ modelId: 'openai/sample', name: 'sample' }] },
  modes: {
    currentModeId: 'default',
    availableModes: ['default', 'autoEdit', 'yolo', 'plan', 'ask'].map((id) => ({ id, name: id })),
  },
  configOptions: [choice('model', 'openai/sample'), choice('thought_level', 'high')],
}

/** What an agent answers to our requests, over any of the protocols: enough for the first prompt to be sent. */
const RESULTS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: 1,
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { resume: {}, fork: {}, additionalDirectories: {} },
    },
    authMethods: [],
  },
  'session/new': SESSION,
  'session/fork': SESSION,
  'session/load': SESSION,
  'session/resume': SESSION,
  'thread/start': { thread: { id: UUID }, model: 'm' },
  'thread/resume': { thread: { id: UUID }, model: 'm' },
  'thread/fork': { thread: { id: UUID }, model: 'm' },
  'droid.initialize_session': { sessionId: UUID },
}

function reply(line: string): string | null {
  const record = parseRecord(line)
  if (!record) return null
  const { id, method, type, jsonrpc, request_id } = record
  if (typeof method === 'string' && id !== undefined) {
    return JSON.stringify({ jsonrpc, id, result: RESULTS[method] ?? {} })
  }
  if (type === 'control_request') {
    return JSON.stringify({ type: 'control_response', response: { subtype: 'success', request_id, response: {} } })
  }
  return null
}

/** All that reaches the agent's process and its server until its first prompt is on the way. */
function reaches(adapter: AgentAdapter, sample: Sample): string {
  const options: RunOptions = { agent: adapter.agent, prompt: 'the prompt', cwd: '/', ...sample }
  gateCapabilities(options, adapter.capabilities, adapter.models)
  // As `run` does for an agent that has no place for a schema.
  if (!adapter.capabilities.supportsStructuredOutput) options.prompt = promptWithSchema(options)
  const { args, env, files, stdin, workingCopy } = adapter.buildSpawnArgs(options)
  const normaliser = new Normaliser({ runId: 'r', agent: adapter.agent, now: () => 0, stream: true })
  const dialogue = createDialogue(adapter, options, 'r', stdin === undefined, normaliser)
  return JSON.stringify([args, env, files, stdin, workingCopy, saidTo(dialogue, options)])
}

/** Null: it was refused. */
function reached(adapter: AgentAdapter, sample: Sample): string | null {
  try {
    return reaches(adapter, sample)
  } catch (error) {
    expect(error).toBeInstanceOf(AgentMuxError)
    return null
  }
}

function saidTo(dialogue: Dialogue, options: RunOptions): unknown[] {
  const said: unknown[] = []
  const take = (effects: readonly Effect[], depth: number): void => {
    if (depth > 12) return
    for (const effect of effects) {
      if ('http' in effect) {
        said.push(effect.http)
        const answer: HttpResponse = effect.http.stream
          ? { sse: JSON.stringify({ type: 'server.connected', properties: {} }) }
          : { status: 200, body: { id: UUID, healthy: true, version: '1' } }
        take(dialogue.onHttp?.(effect.http.requestId, answer) ?? [], depth + 1)
      }
      if ('host' in effect) {
        const missing: HostResult = { type: 'error', reason: 'not_found', message: '' }
        take(dialogue.onHost?.(effect.host.requestId, missing) ?? [], depth + 1)
      }
      if (!('write' in effect)) continue
      said.push(effect.write)
      const answer = reply(effect.write)
      if (answer !== null) take(dialogue.onLine(answer, 'stdout'), depth + 1)
    }
  }
  take(dialogue.start(options), 0)
  const update = { sessionUpdate: 'available_commands_update', availableCommands: [] }
  const ready = { jsonrpc: '2.0', method: 'session/update', params: { sessionId: UUID, update } }
  take(dialogue.onLine(JSON.stringify(ready), 'stdout'), 0)
  take(dialogue.onLine('opencode server listening on http://127.0.0.1:9', 'stdout'), 0)
  take(dialogue.onLine('opencode server listening on http://127.0.0.1:9', 'stderr'), 0)
  return said.filter((one) => asRecord(one) || typeof one === 'string')
}

const loaded = await Promise.all(builtInAdapters.map(({ load }) => load()))
const options = Object.entries(SAMPLES).flatMap(([name, samples]) => samples.map((sample) => ({ name, sample })))

describe.each(loaded.map((adapter) => ({ agent: adapter.agent, adapter })))('$agent', ({ adapter }) => {
  test.each(options)('keeps $name, or refuses it: $sample', ({ name, sample }) => {
    for (const form of [{}, { nonInteractive: true }]) {
      // What an option asks for beside it is in both.
      const base = name === 'systemPromptMode' ? { ...form, systemPrompt: 'sample words' } : form
      const kept = reached(adapter, { ...form, ...sample })
      if (kept === null || LIKE_THE_DEFAULT[adapter.agent]?.includes(name)) continue
      // Everything that is asked is denied in the live form.
      if (name === 'approvalMode' && adapter.capabilities.supportsApprovals && !('nonInteractive' in form)) continue
      // The engine counts where the CLI does not.
      if (name === 'maxTurns' && adapter.capabilities.supportsMaxTurns !== true) continue
      expect(kept, JSON.stringify(form)).not.toBe(reached(adapter, base))
    }
  })
})

test('every option is kept by us, or is among the samples', async () => {
  const { OPTION_NAMES } = await import('../src/contract/options.ts')
  for (const name of OPTION_NAMES) expect(OURS.has(name) !== Object.hasOwn(SAMPLES, name), name).toBe(true)
})
