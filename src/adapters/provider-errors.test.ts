import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { DialogueExit, Effect } from '../contract/dialogue.ts'
import { decideFailure } from '../core/failure-codes.ts'
import { failTurn } from '../core/failures.ts'
import { loadAdapterFor } from './index.ts'

// How providers refuse a request, in the frame that each agent puts around it. The status and the provider's own names
// decide; the words are those of the real answers, and many of them mislead.

interface Refusal {
  provider: string
  status: number
  outcome: string
  /** Where not the whole body reaches us, but the status and the words; or only the words. */
  byMessage?: string
  byWords?: string
  body: Record<string, unknown> & { error?: { type?: string; code?: unknown; message: string }; message?: string }
}

const path = join(import.meta.dirname, '..', '..', 'test', 'fixtures', 'provider-refusals.json')
const REFUSALS: readonly Refusal[] = JSON.parse(readFileSync(path, 'utf8'))

const message = ({ body }: Refusal): string => body.error?.message ?? body.message ?? ''
const json = ({ body }: Refusal): string => JSON.stringify(body)
const plain = (one: Refusal): string => `${one.status} ${message(one)}`
const whole = (one: Refusal): string => `${one.status} ${json(one)}`

function outcomeOf(effects: readonly Effect[]): string | undefined {
  return effects.flatMap((effect) => ('fail' in effect ? [effect.fail.outcome.kind] : []))[0]
}

/** All that are taken for something else. */
async function mistaken(
  outcome: (one: Refusal) => Promise<string | undefined>,
  reported?: 'in words',
): Promise<string[]> {
  const wrong: string[] = []
  for (const one of REFUSALS) {
    const found = await outcome(one)
    const expected = [one.outcome, one.byMessage, ...(reported ? [one.byWords] : [])]
    if (!expected.includes(found)) wrong.push(`${one.provider} ${plain(one)}: ${found}, not ${one.outcome}`)
  }
  return wrong
}

/** How the libraries of the providers put it into words. */
const SENTENCES: [name: string, sentence: (one: Refusal) => string][] = [
  ['status and message', plain],
  ['status and body', whole],
  ['status and inner body', (one) => `${one.status}: ${JSON.stringify(one.body.error ?? one.body)}`],
  ['API error', (one) => `API Error: ${whole(one)}`],
  ['error code', (one) => `Error code: ${one.status} - ${json(one)}`],
  ['HTTP', (one) => `HTTP ${one.status}: ${message(one)}`],
]

test.each(SENTENCES)('in a sentence: %s', async (_name, sentence) => {
  const decide = async (one: Refusal) => outcomeOf(failTurn(decideFailure({ words: sentence(one) }), { message: '' }))
  expect(await mistaken(decide)).toEqual([])
})

interface Run {
  lines?: readonly unknown[]
  exit?: Partial<DialogueExit>
}

async function outcomeOfRun(agent: string, { lines = [], exit = {} }: Run): Promise<string | undefined> {
  const adapter = await loadAdapterFor(agent, {})
  const dialogue = adapter.createDialogue?.({ agent, prompt: 'p', nonInteractive: true })
  if (!dialogue) throw new Error(`${agent} has no dialogue`)
  const text = (line: unknown) => (typeof line === 'string' ? line : JSON.stringify(line))
  return outcomeOf([
    ...lines.flatMap((line) => dialogue.onLine(text(line), 'stdout')),
    ...dialogue.onExit({ exitCode: 1, signal: null, stderr: '', ...exit }),
  ])
}

const lines = (...records: unknown[]): Run => ({ lines: records })
const stderr = (words: string): Run => ({ exit: { stderr: `${words}\n` } })

const CLAUDE_CODES: Record<number, string> = {
  ...{ 400: 'invalid_request', 401: 'authentication_failed', 402: 'billing_error', 403: 'authentication_failed' },
  ...{ 404: 'model_not_found', 413: 'invalid_request', 429: 'rate_limit', 529: 'overloaded' },
}

const init = { type: 'system', subtype: 'init', session_id: 's' }

function claude({ status }: Refusal, text: string, error?: string): Run {
  const content = [{ type: 'text', text }]
  return lines(
    init,
    { type: 'assistant', error, message: { model: '<synthetic>', content }, is_api_error_message: true },
    { type: 'result', subtype: 'success', is_error: true, api_error_status: status, result: text },
  )
}

const opencode = (one: Refusal) => {
  const data = { message: message(one), statusCode: one.status, responseBody: json(one) }
  return lines({ type: 'error', sessionID: 's', error: { name: 'APIError', data } })
}

const pi = (errorMessage: string, errorStatus?: number) => {
  const failed = { role: 'assistant', content: [], stopReason: 'error', errorMessage, errorStatus }
  const begin = [{ type: 'session', id: 's' }, { type: 'agent_start' }, { type: 'turn_start' }]
  const reply = ['message_start', 'message_end', 'turn_end'].map((type) => ({ type, message: failed }))
  return lines(...begin, ...reply, { type: 'agent_end', messages: [failed], isTerminal: true })
}

const cline = (one: Refusal, status?: number) => {
  const error = { name: 'Error', message: message(one), status }
  const result = { type: 'run_result', finishReason: 'error', text: message(one) }
  return lines({ type: 'agent_event', event: { type: 'error', error, errorClass: 'unknown' } }, result)
}

const FRAMES: [agent: string, name: string, run: (one: Refusal) => Run, reported?: 'in words'][] = [
  ['claude', 'with its own code', (one) => claude(one, `API Error: ${plain(one)}`, CLAUDE_CODES[one.status])],
  ['claude', 'with the whole body', (one) => claude(one, `API Error: ${whole(one)}`)],
  ['claude', 'on stderr', (one) => stderr(`Error: ${whole(one)}`)],
  ['qoder', 'result', (one) => claude(one, `API Error: ${plain(one)}`)],
  ['amp', 'result', (one) => lines(init, { type: 'result', is_error: true, error: whole(one) })],
  [
    'qwen',
    'result',
    (one) => lines(init, { type: 'result', is_error: true, error: { message: `[API Error: ${plain(one)}]` } }),
  ],
  [
    'qwen',
    'with the whole body',
    (one) => lines(init, { type: 'result', is_error: true, error: { message: `[API Error: ${whole(one)}]` } }),
  ],
  ['qwen', 'on stderr', (one) => stderr(`Error: ${plain(one)}`)],
  [
    'gemini',
    'result',
    (one) =>
      lines(
        { type: 'init', session_id: 's' },
        {
          type: 'result',
          status: 'error',
          error: {
            message: `[API Error: ${json({ ...one, body: { error: { ...(one.body.error ?? one.body), code: one.status } } } as Refusal)}]`,
          },
        },
      ),
  ],
  ['gemini', 'on stderr', (one) => stderr(`Error: ${whole(one)}`)],
  [
    'codex',
    'status',
    (one) =>
      lines({
        type: 'turn.failed',
        error: {
          message: `unexpected status ${one.status} X: ${message(one)}, url: http://127.0.0.1:8791/v1/responses`,
        },
      }),
  ],
  [
    'codex',
    'status and body',
    (one) =>
      lines({
        type: 'turn.failed',
        error: { message: `unexpected status ${one.status} X: ${json(one)}, url: http://127.0.0.1:8791/v1/responses` },
      }),
  ],
  [
    'copilot',
    'event',
    (one) =>
      lines({ type: 'session.error', data: { errorType: 'query', message: plain(one), statusCode: one.status } }),
  ],
  ['copilot', 'on stderr', (one) => stderr(`Error: ${plain(one)}`)],
  ['opencode', 'event', opencode],
  [
    'opencode',
    'in words',
    (one) => lines({ type: 'error', sessionID: 's', error: { name: 'UnknownError', data: { message: whole(one) } } }),
  ],
  ['kilo', 'event', opencode],
  ['pi', 'with the body', (one) => pi(`${one.status}: ${JSON.stringify(one.body.error ?? one.body)}`)],
  ['pi', 'in words', (one) => pi(plain(one))],
  ['omp', 'with a status', (one) => pi(`${plain(one)}\n${message(one)}`, one.status)],
  ['droid', 'event', (one) => lines({ type: 'error', source: 'agent_loop', message: plain(one) })],
  ['continue', 'on stderr', (one) => stderr(JSON.stringify({ status: 'error', message: plain(one) }))],
  [
    'hermes',
    'with the body',
    (one) =>
      lines(
        { type: 'system', subtype: 'init' },
        { type: 'result', exit_code: 1, error: `Error code: ${one.status} - ${json(one)}` },
      ),
  ],
  [
    'hermes',
    'in words',
    (one) => lines({ type: 'system', subtype: 'init' }, { type: 'result', exit_code: 1, error: `HTTP ${plain(one)}` }),
  ],
  [
    'goose',
    'event',
    (one) => lines({ type: 'error', error: `Request failed: ${message(one)} (status: ${one.status} X)` }),
  ],
  ['cursor', 'result', (one) => lines({ type: 'result', is_error: true, result: whole(one) })],
  ['roo', 'event', (one) => lines({ type: 'error', content: whole(one) })],
  ['agy', 'result', (one) => lines({ event: 'result', result: { status: 'ERROR', error: whole(one) } })],
  [
    'grok',
    'event',
    (one) =>
      lines({
        type: 'error',
        message: `Internal error: "X (${one.status}) from http://127.0.0.1:18080/v1/chat/completions: ${message(one)}"`,
      }),
  ],
  ['openclaw', 'document', (one) => lines({ ok: false, error: { message: plain(one) } })],
  [
    'kimi',
    'on stderr',
    (one) => ({
      lines: [{ role: 'meta', type: 'system.version' }],
      ...stderr(`error: failed to run prompt: provider.api_error: ${plain(one)}`),
    }),
  ],
  ['cline', 'with a status', (one) => cline(one, one.status)],
  ['cline', 'in words', (one) => cline(one), 'in words'],
  [
    'letta',
    'result',
    (one) =>
      lines(
        { type: 'error', message: whole(one) },
        { type: 'result', subtype: 'error', is_error: true, result: whole(one) },
      ),
  ],
  ['crush', 'on stderr', (one) => stderr(plain(one))],
  [
    'aider',
    'text',
    (one) => ({
      ...lines(`litellm.APIError: APIError: OpenAIException - Error code: ${one.status} - ${json(one)}`),
      exit: { exitCode: 0 },
    }),
  ],
]

describe.each(FRAMES)('%s, %s', (agent, _name, run, reported) => {
  test('every refusal is what its status and its names say', async () => {
    expect(await mistaken((one) => outcomeOfRun(agent, run(one)), reported)).toEqual([])
  })
})

/** How a JSON-RPC error holds it, in the agents that speak ACP. */
const ACP: [name: string, error: (one: Refusal) => unknown][] = [
  ['in the words', (one) => ({ code: -32603, message: `Internal error: ${plain(one)}` })],
  ['the body as the words', (one) => ({ code: -32603, message: whole(one) })],
  ['the words in the data', (one) => ({ code: -32603, message: 'Internal error', data: plain(one) })],
  ['a status in the data', (one) => ({ code: -32603, message: message(one), data: { statusCode: one.status } })],
]

test.each(ACP)('ACP: %s', async (_name, error) => {
  const { turnFailure } = await import('./families/acp/errors.ts')
  const { createState } = await import('./families/acp/state.ts')
  const state = () => createState('x', { args: [] }, { agent: 'x', prompt: '' })
  expect(await mistaken(async (one) => outcomeOf(turnFailure(state(), error(one))))).toEqual([])
})

test("a spent day is known by the name of Google's limit, whatever time it says to wait", async () => {
  const ofDay = REFUSALS.filter((one) => json(one).includes('PerDay'))
  expect(ofDay.map((one) => decideFailure({ words: whole(one) }))).toEqual(['quota'])
})
