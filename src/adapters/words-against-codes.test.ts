import { describe, expect, test } from 'vitest'
import type { DialogueExit, Effect } from '../contract/dialogue.ts'
import { decideFailure, statusIn } from '../core/failure-codes.ts'
import { createState as clineState } from './cline/state.ts'
import { failure as clineFailure } from './cline/stream.ts'
import { turnFailure as codexFailure } from './codex/errors.ts'
import { turnFailure as copilotFailure } from './copilot/errors.ts'
import { createState as droidState } from './droid/state.ts'
import { turnEnded as droidTurnEnded } from './droid/turns.ts'
import { turnFailure as acpFailure } from './families/acp/errors.ts'
import { createState } from './families/acp/state.ts'
import { errorFailure, readError } from './families/opencode/errors.ts'
import { opencode } from './families/opencode/opencode.ts'
import { readFailure } from './families/pi/failure.ts'
import { turnFailure as geminiFailure } from './gemini/errors.ts'
import { loadAdapterFor } from './index.ts'

/** What a provider says, in the wrong words. */
const MISLEADING = [
  'You have exceeded the request quota of this deployment',
  'Too many tokens: the context window of requests per key',
  'Rate limit for this api key; not logged in?',
  'Internal server error 500, overloaded, timed out',
]

const BY_CODE: [code: string, outcome: string][] = [
  ['rate_limit_exceeded', 'rate_limited'],
  ['insufficient_quota', 'quota_exhausted'],
  ['context_length_exceeded', 'context_exhausted'],
  ['invalid_api_key', 'auth_required'],
]

const BY_STATUS: [status: number, outcome: string][] = [
  [429, 'rate_limited'],
  [401, 'auth_required'],
  [402, 'quota_exhausted'],
  [503, 'failed'],
]

interface Told {
  code?: string
  status?: number
  words: string
}

const acpState = () => createState('x', { args: [] }, { agent: 'x', prompt: '' })

/** How each dialect that knows codes or a status hands on a failure. */
const DIALECTS: Record<string, (reported: Told) => Effect[]> = {
  copilot: ({ code, status, words }) => copilotFailure({ message: words, statusCode: status, errorCode: code }),
  opencode: ({ code, status, words }) => {
    const responseBody = JSON.stringify({ error: { message: words, code } })
    const data = { message: words, statusCode: status, ...(code && { responseBody }) }
    return errorFailure(opencode, readError({ name: 'APIError', data }))
  },
  cline: ({ code, status, words }) => {
    const state = clineState({ agent: 'cline', prompt: '' })
    state.lastError = { error: { message: words, code, status } }
    return clineFailure(state, undefined, words)
  },
  'acp, in the data': ({ code, status, words }) =>
    acpFailure(acpState(), { code: -32603, message: words, data: { errorCode: code, statusCode: status } }),
  'acp, in the words': ({ code, status, words }) =>
    acpFailure(acpState(), code ? `${code}: ${words}` : { code: status, message: words }),
  gemini: ({ code, status, words }) => {
    // Google has no such names: its status is the code.
    const known = BY_CODE.find(([name]) => name === code)?.[1]
    const statusOf = { rate_limited: 429, quota_exhausted: 402, auth_required: 401 }[known ?? ''] ?? status
    if (known === 'context_exhausted') return geminiFailure(undefined, 'The input token count exceeds the maximum')
    return geminiFailure(undefined, `[API Error: ${JSON.stringify({ error: { code: statusOf, message: words } })}]`)
  },
}

function outcomeOf(effects: readonly Effect[]): string | undefined {
  return effects.flatMap((effect) => ('fail' in effect ? [effect.fail.outcome?.kind] : []))[0]
}

describe.each(Object.entries(DIALECTS))('%s', (_name, fail) => {
  test.each(BY_CODE)('the code %s means %s, whatever the words say', (code, outcome) => {
    for (const words of MISLEADING) expect([words, outcomeOf(fail({ code, words }))]).toEqual([words, outcome])
  })

  test.each(BY_STATUS)('the status %s means %s, whatever the words say', (status, outcome) => {
    for (const words of MISLEADING) expect([words, outcomeOf(fail({ status, words }))]).toEqual([words, outcome])
  })
})

test.each(BY_STATUS)('pi reports the status %s before its words', (status, outcome) => {
  const kinds: Record<string, string> = { rate_limited: 'rate_limit', auth_required: 'auth', quota_exhausted: 'quota' }
  for (const words of MISLEADING) {
    expect(readFailure(`${status} ${words}`).kind).toBe(kinds[outcome] ?? 'overloaded')
  }
})

test("Copilot's 429 with a name of its own is a rate limit", () => {
  const effects = copilotFailure({
    errorType: 'rate_limit',
    errorCode: 'rate_limit_exceeded',
    statusCode: 429,
    message: 'You have exceeded your quota of requests. Please try again later.',
  })
  expect(outcomeOf(effects)).toBe('rate_limited')
})

test("Kimi's context overflow is a full context, whatever failed on the way", () => {
  const words = 'context.overflow: Compaction failed after 3 attempts: connection error'
  expect(outcomeOf(acpFailure(acpState(), words))).toBe('context_exhausted')
})

test('a spent plan is known by its phrases where the status says no more than 429', () => {
  const words = 'You exceeded your current quota, please check your plan and billing details.'
  expect(decideFailure({ status: 429, words })).toBe('quota')
  expect(decideFailure({ status: 429, words: `${words} Please retry in 12s` })).toBe('rate_limit')
})

/** A one-shot dialogue that prints these lines and leaves so. */
async function outcomeOfRun(agent: string, lines: readonly unknown[], exit: Partial<DialogueExit> = {}) {
  const adapter = await loadAdapterFor(agent, {})
  const options = { agent, prompt: 'p', nonInteractive: true }
  const dialogue = adapter.createDialogue?.(options)
  if (!dialogue) throw new Error(`${agent} has no dialogue`)
  const text = (line: unknown) => (typeof line === 'string' ? line : JSON.stringify(line))
  const effects = [
    ...lines.flatMap((line) => dialogue.onLine(text(line), 'stdout')),
    ...dialogue.onExit({ exitCode: 1, signal: null, stderr: '', ...exit }),
  ]
  return outcomeOf(effects)
}

/** What the agents that tell a failure in words put before them: the status of the provider. */
const TOLD_IN_WORDS: [agent: string, run: (words: string) => [lines: unknown[], exit?: Partial<DialogueExit>]][] = [
  ['droid', (message) => [[{ type: 'error', source: 'agent_loop', message }]]],
  ['continue', (message) => [[], { stderr: JSON.stringify({ status: 'error', message }) }]],
  [
    'hermes',
    (error) => [
      [
        { type: 'system', subtype: 'init' },
        { type: 'result', exit_code: 1, error },
      ],
    ],
  ],
  ['goose', (error) => [[{ type: 'error', error }]]],
  ['cursor', (result) => [[{ type: 'result', is_error: true, result }]]],
  ['roo', (content) => [[{ type: 'error', content }]]],
  ['agy', (error) => [[{ event: 'result', result: { status: 'ERROR', error } }]]],
  ['grok', (message) => [[{ type: 'error', message }]]],
  ['openclaw', (message) => [[JSON.stringify({ ok: false, error: { message } })]]],
  ['codex', (message) => [[{ type: 'turn.failed', error: { message } }]]],
]

describe.each(TOLD_IN_WORDS)('%s reports it in words', (agent, run) => {
  test.each(BY_STATUS)('a status %s before them decides', async (status, outcome) => {
    for (const words of MISLEADING) {
      const reported = `${status} ${words}`
      expect([reported, await outcomeOfRun(agent, ...run(reported))]).toEqual([reported, outcome])
    }
  })

  test.each(BY_CODE)('the code %s in a body that is handed on decides', async (code, outcome) => {
    for (const message of MISLEADING) {
      const reported = `Error: ${JSON.stringify({ error: { message, code } })}`
      expect([reported, await outcomeOfRun(agent, ...run(reported))]).toEqual([reported, outcome])
    }
  })
})

const KIMI: [reported: string, outcome: string][] = [
  ['provider.rate_limit: 429', 'rate_limited'],
  ['provider.auth_error: 401', 'auth_required'],
  ['context.overflow: Compaction failed:', 'context_exhausted'],
]

test.each(KIMI)("Kimi's %s decides", async (reported, outcome) => {
  for (const words of MISLEADING) {
    const stderr = `error: failed to run prompt: ${reported} ${words}\n`
    expect([words, await outcomeOfRun('kimi', [{ role: 'meta', type: 'system.version' }], { stderr })]).toEqual([
      words,
      outcome,
    ])
  }
})

const AIDER: [name: string, outcome: string][] = [
  ['RateLimitError', 'rate_limited'],
  ['AuthenticationError', 'auth_required'],
  ['ContextWindowExceededError', 'context_exhausted'],
]

test.each(AIDER)('the class %s of litellm decides, in what Aider prints', async (name, outcome) => {
  for (const words of MISLEADING) {
    const line = `litellm.${name}: ${words}`
    expect([line, await outcomeOfRun('aider', [line], { exitCode: 0 })]).toEqual([line, outcome])
  }
})

const DROID: [reason: string, outcome: string][] = [
  ['model_rate_limited', 'rate_limited'],
  ['model_usage_exhausted', 'quota_exhausted'],
  ['model_authentication_failed', 'auth_required'],
]

test.each(DROID)("Droid's reason %s decides", (reason, outcome) => {
  for (const words of MISLEADING) {
    const state = droidState({ agent: 'droid', prompt: '' })
    state.lastError = words
    expect([words, outcomeOf(droidTurnEnded(state, {}, reason))]).toEqual([words, outcome])
  }
})

const CODEX: [info: unknown, outcome: string][] = [
  ['rateLimitExceeded', 'rate_limited'],
  ['usageLimitExceeded', 'quota_exhausted'],
  ['contextWindowExceeded', 'context_exhausted'],
  ['unauthorized', 'auth_required'],
  [{ responseStreamConnectionFailed: { httpStatusCode: 429 } }, 'rate_limited'],
  [{ httpConnectionFailed: { httpStatusCode: 401 } }, 'auth_required'],
  [{ responseTooManyFailedAttempts: { httpStatusCode: 503 } }, 'failed'],
]

test.each(CODEX)("Codex's %j decides", (info, outcome) => {
  for (const words of MISLEADING) {
    expect([words, outcomeOf(codexFailure(words, info))]).toEqual([words, outcome])
  }
})

const CLAUDE: [error: string | undefined, status: number | undefined, outcome: string][] = [
  ['rate_limit', 429, 'rate_limited'],
  ['authentication_failed', 401, 'auth_required'],
  ['billing_error', 402, 'quota_exhausted'],
  [undefined, 429, 'rate_limited'],
  [undefined, 401, 'auth_required'],
  [undefined, 503, 'failed'],
]

test.each(CLAUDE)("Claude's error %s with status %s decides", async (error, status, outcome) => {
  for (const words of MISLEADING) {
    const content = [{ type: 'text', text: words }]
    const lines = [
      { type: 'system', subtype: 'init', session_id: 's' },
      { type: 'assistant', error, message: { model: '<synthetic>', content }, is_api_error_message: true },
      { type: 'result', subtype: 'success', is_error: true, api_error_status: status, result: words },
    ]
    expect([words, await outcomeOfRun('claude', lines)]).toEqual([words, outcome])
  }
})

test('a number in a sentence is not a status', () => {
  for (const words of ['Read 429 lines', 'It took 503 ms', 'The port 401 is taken']) {
    expect([words, statusIn(words)]).toEqual([words, undefined])
  }
  for (const words of [
    '429 x',
    'HTTP 429: x',
    'status code: 429',
    'Too many (429) from http://h',
    'Error code: 429 - {}',
    'retried 5 times (15 s) Last error: 429 x',
  ]) {
    expect([words, statusIn(words)]).toEqual([words, 429])
  }
})

test("a status after an agent's own words decides as well", () => {
  const words = 'Rate limit exceeded for this context window, quota used'
  // As Kimi 2.1.0 and Copilot 1.0.102 hand on what a provider says.
  const kimi = { code: -32000, message: `Authentication required: 401 ${words}` }
  expect(JSON.stringify(acpFailure(acpState(), kimi))).toContain('auth_required')
  const copilot = `Failed to get response from the AI model; retried 5 times Last error: 503 ${words}`
  expect(decideFailure({ words: copilot })).toBe('overloaded')
})

// The CLIs that pass on the words only leave the provider's code out, but not the status.
test.each([
  ['400 The request exceeds the token quota of this model: 210000 tokens were sent, 200000 is the limit.', 'context'],
  ['[API Error: 400 210000 tokens exceed the quota of 200000.]', 'context'],
  ['API error (status 400 Bad Request): invalid_request_error: The request exceeds the token quota.', 'context'],
  ['400 Your credit balance is too low for 2000 tokens; see plan and billing.', 'quota'],
  ['400 The monthly quota of tokens is used up.', 'quota'],
  ['429 The token quota of this minute is used. Slow down.', 'rate_limit'],
  ['401 The key for quota project 42 is not valid.', 'auth'],
])('by status and words, %s is %s', (words, kind) => {
  expect(decideFailure({ words })).toBe(kind)
})
