import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Effect } from '../../contract/dialogue.ts'
import type { AgentEventDraft } from '../../contract/event-drafts.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { asRecord, isRecord, type JsonRecord } from '../../core/json.ts'
import { createDialogue } from './dialogue.ts'

const FIXTURES = new URL('./fixtures/0.166.0/', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, FIXTURES), 'utf8')
const linesOf = (path: string): string[] =>
  read(path)
    .split('\n')
    .filter((line) => line !== '')

interface Step {
  dir: 'in' | 'out'
  msg: JsonRecord
}

function flow(name: string): Step[] {
  return linesOf(`${name}/flow.jsonl`).flatMap((line): Step[] => {
    const { dir, msg }: { dir: unknown; msg: unknown } = JSON.parse(line)
    return (dir === 'in' || dir === 'out') && isRecord(msg) ? [{ dir, msg }] : []
  })
}

const drafts = (effects: readonly Effect[]): AgentEventDraft[] =>
  effects.flatMap((effect) => ('emit' in effect ? [effect.emit] : []))
const typesOf = (effects: readonly Effect[]): string[] => drafts(effects).map(({ type }) => type)
const writes = (effects: readonly Effect[]): JsonRecord[] =>
  effects.flatMap((effect) => ('write' in effect ? [asRecord(JSON.parse(effect.write)) ?? {}] : []))
const failures = (effects: readonly Effect[]) => effects.flatMap((effect) => ('fail' in effect ? [effect.fail] : []))
const sum = (effects: readonly Effect[], field: 'inputTokens' | 'outputTokens'): number =>
  drafts(effects).reduce((total, draft) => total + (draft.type === 'token_usage' ? draft[field] : 0), 0)

/** A recording as it is read without any hint. */
function parsed(name: string, options: Partial<RunOptions> = {}): Effect[] {
  const dialogue = createDialogue({ prompt: '', nonInteractive: true, ...options })
  const stdout = linesOf(`${name}/stdout.jsonl`)
  const last = stdout.pop() ?? ''
  return [
    ...stdout.flatMap((line) => dialogue.onLine(line, 'stdout')),
    ...linesOf(`${name}/stderr.txt`).flatMap((line) => dialogue.onLine(line, 'stderr')),
    ...dialogue.onLine(last, 'stdout'),
  ]
}

/** Plays the server of a recorded dialogue; what we write must be what was written then, up to ids of requests. */
function driven(name: string, options: Partial<RunOptions>) {
  const given: RunOptions = { prompt: 'hi there', cwd: '/workspace', ...options }
  const dialogue = createDialogue(given)
  const effects = dialogue.start(given)
  const expected: JsonRecord[] = []
  const feed = (stop?: (step: Step) => boolean) => {
    for (;;) {
      const step = steps.shift()
      if (!step) return
      if (step.dir === 'in') expected.push(step.msg)
      else effects.push(...dialogue.onLine(JSON.stringify(step.msg), 'stdout'))
      if (stop?.(step)) return
    }
  }
  const steps = flow(name)
  const command = (...args: Parameters<typeof dialogue.onCommand>) => {
    const result = dialogue.onCommand(...args)
    if (result) effects.push(...result)
    return result
  }
  return { dialogue, effects, expected, feed, command }
}

const isRequest = (method: string) => (step: Step) => step.dir === 'out' && step.msg.method === method

describe('live dialogues, played against recordings', () => {
  test('initialises, opens a thread, and runs a turn', () => {
    const { dialogue, effects, expected, feed } = driven('app-schema', {
      outputSchema: {
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
        additionalProperties: false,
      },
    })
    feed()
    expect(writes(effects)).toEqual(expected)
    expect(expected.map(({ method }) => method)).toEqual(['initialize', 'initialized', 'thread/start', 'turn/start'])
    expect(effects).toContainEqual({ structuredOutput: { name: 'scripted' } })
    expect(effects).toContainEqual({ model: 'gpt-6.1-sol' })
    expect(typesOf(effects).slice(-2)).toEqual(['token_usage', 'turn_end'])
    expect(dialogue.busy?.()).toBe(false)
    expect(dialogue.onCommand({ type: 'close' })).toEqual([{ closeStdin: true }])
    expect(dialogue.onExit({ exitCode: 0, signal: null, stderr: '' })).toEqual([])
  })

  test('a resumed thread is counted from where it stood', () => {
    const sessionId = asRecord(
      flow('app-resume').find(({ msg }) => msg.method === 'thread/resume')?.msg.params,
    )?.threadId
    const { effects, expected, feed } = driven('app-resume', { prompt: 'second', sessionId: String(sessionId) })
    feed()
    expect(writes(effects)).toEqual(expected)
    expect(drafts(effects)).toContainEqual(expect.objectContaining({ type: 'session_start', sessionId, resumed: true }))
    expect(sum(effects, 'inputTokens')).toBe(1150)
  })

  test('a fork tells its origin and counts only what is new', () => {
    const origin = asRecord(flow('app-fork').find(({ msg }) => msg.method === 'thread/fork')?.msg.params)?.threadId
    const { effects, expected, feed } = driven('app-fork', { prompt: 'forked', forkSessionId: String(origin) })
    feed()
    expect(writes(effects)).toEqual(expected)
    expect(drafts(effects)).toContainEqual(expect.objectContaining({ type: 'session_fork', forkedFrom: origin }))
    expect(sum(effects, 'inputTokens')).toBe(1150)
  })

  test('an unknown session fails and ends the server', () => {
    const { effects, feed } = driven('app-resume-bad', { sessionId: '11111111-1111-1111-1111-111111111111' })
    feed()
    expect(failures(effects)).toMatchObject([{ outcome: { code: 'SESSION_NOT_FOUND' }, endNow: true }])
    expect(effects.at(-1)).toEqual({ closeStdin: true })
  })

  test.each([
    ['app-mcp-accept', 'approve', 'tool_result'],
    ['app-mcp-decline', 'deny', 'tool_error'],
  ] as const)('%s: the answer reaches the server', (name, type, end) => {
    const started = flow(name).find(({ msg }) => msg.method === 'thread/start')
    const servers = asRecord(asRecord(asRecord(started?.msg.params)?.config)?.mcp_servers)
    const { command: program = '', args: programArgs } = asRecord(servers?.tiny) ?? {}
    const { effects, expected, feed, command } = driven(name, {
      mcpServers: [{ name: 'tiny', command: String(program), args: Array.isArray(programArgs) ? programArgs : [] }],
    })
    feed(isRequest('mcpServer/elicitation/request'))
    const asked = drafts(effects).find((draft) => draft.type === 'approval_request')
    expect(asked).toMatchObject({ toolName: 'mcp__tiny__echo', detail: expect.stringContaining('ping') })
    command({ type, interactionId: asked?.type === 'approval_request' ? asked.interactionId : '' })
    feed()
    expect(writes(effects)).toEqual(expected)
    expect(typesOf(effects)).toContain(end)
  })

  test('questions are asked and answered', () => {
    const { effects, expected, feed, command } = driven('app-question', { onInputRequired: () => 'Blue' })
    feed(isRequest('item/tool/requestUserInput'))
    const asked = drafts(effects).find((draft) => draft.type === 'input_required')
    expect(asked).toMatchObject({ question: 'Which colour do you like?', options: ['Red', 'Blue'] })
    const interactionId = asked?.type === 'input_required' ? asked.interactionId : ''
    expect(command({ type: 'approve', interactionId })).toBeNull()
    command({ type: 'answer', interactionId, text: 'Blue' })
    feed()
    expect(writes(effects)).toEqual(expected)
  })

  test('an interrupted turn is cancelled, and the next one runs', () => {
    const { dialogue, effects, expected, feed, command } = driven('app-interrupt-tool', { keepOpen: true })
    feed(isRequest('item/started'))
    feed(({ msg }) => asRecord(asRecord(msg.params)?.item)?.type === 'commandExecution')
    command({ type: 'interrupt' })
    feed(isRequest('turn/completed'))
    expect(failures(effects)).toMatchObject([{ outcome: { kind: 'cancelled' } }])
    expect(command({ type: 'interrupt' })).toEqual([])
    command({ type: 'user_turn', text: 'again' })
    expect(dialogue.busy?.()).toBe(true)
    feed(({ msg }) => asRecord(asRecord(msg.params)?.item)?.type === 'commandExecution')
    command({ type: 'interrupt' })
    feed()
    expect(writes(effects)).toEqual(expected)
    expect(typesOf(effects).filter((type) => type === 'turn_end')).toHaveLength(2)
    expect(sum(effects, 'inputTokens')).toBe(2300)
  })

  test('edits go through a sandbox that is set turn by turn', () => {
    const { effects, expected, feed } = driven('app-edit', { model: 'gpt-5.5', approvalMode: 'accept-edits' })
    feed()
    expect(writes(effects)).toEqual(expected)
    const [thread, turn] = expected.slice(-2).map(({ params }) => asRecord(params))
    expect(thread).toMatchObject({ sandbox: 'read-only', approvalPolicy: 'on-request' })
    expect(turn).toMatchObject({ sandboxPolicy: { type: 'workspaceWrite' } })
    expect(drafts(effects)).toContainEqual(expect.objectContaining({ type: 'file_create', byteCount: 4 }))
    expect(drafts(effects)).toContainEqual(
      expect.objectContaining({ type: 'file_patch', diff: '@@ -1 +1 @@\n-one\n+two\n' }),
    )
  })

  test('in the deny mode every request is declined at once', () => {
    const { effects, expected, feed } = driven('app-deny-write', { approvalMode: 'deny' })
    feed()
    expect(writes(effects)).toEqual(expected)
    expect(typesOf(effects).filter((type) => /approval|tool_error/.test(type))).toEqual([
      'approval_request',
      'approval_denied',
      'tool_error',
    ])
  })
})

describe('commands', () => {
  const threadStarted = {
    id: 2,
    result: { thread: { id: 't1' }, model: 'gpt-5.5', sandbox: { type: 'dangerFullAccess' } },
  }
  const notice = (method: string, params: JsonRecord) =>
    JSON.stringify({ method, params: { threadId: 't1', ...params } })

  function running(options: Partial<RunOptions> = {}) {
    const given: RunOptions = { prompt: 'go', ...options }
    const dialogue = createDialogue(given)
    dialogue.start(given)
    dialogue.onLine('{"id":1,"result":{}}', 'stdout')
    const opened = dialogue.onLine(JSON.stringify(threadStarted), 'stdout')
    const begin = (id = 'turn1') => dialogue.onLine(notice('turn/started', { turn: { id } }), 'stdout')
    const end = () => dialogue.onLine(notice('turn/completed', { turn: { status: 'completed' } }), 'stdout')
    return { dialogue, opened, begin, end }
  }

  test('a turn sent while one runs waits for its end; closing waits for both', () => {
    const { dialogue, begin, end } = running()
    begin()
    expect(dialogue.onCommand({ type: 'user_turn', text: 'second' })).toEqual([])
    expect(dialogue.onCommand({ type: 'close' })).toEqual([])
    expect(writes(end())).toMatchObject([{ method: 'turn/start', params: { input: [{ text: 'second' }] } }])
    begin('turn2')
    expect(end()).toEqual([{ emit: { type: 'turn_end' } }, { closeStdin: true }])
  })

  test('steering goes into the running turn, and becomes a turn when that has just ended', () => {
    const { dialogue, begin, end } = running()
    begin()
    const [steer] = writes(dialogue.onCommand({ type: 'steer', text: 'left' }) ?? [])
    expect(steer).toMatchObject({
      method: 'turn/steer',
      params: { expectedTurnId: 'turn1', input: [{ text: 'left' }] },
    })
    end()
    const late = dialogue.onLine(
      JSON.stringify({ id: steer?.id, error: { message: 'no active turn to steer' } }),
      'stdout',
    )
    expect(writes(late)).toMatchObject([{ method: 'turn/start', params: { input: [{ text: 'left' }] } }])
  })

  test('an early interrupt is sent as soon as the turn runs', () => {
    const { dialogue, begin } = running()
    expect(dialogue.onCommand({ type: 'interrupt' })).toEqual([])
    expect(writes(begin())).toMatchObject([{ method: 'turn/interrupt', params: { threadId: 't1', turnId: 'turn1' } }])
  })

  test('another model applies from the next turn, with a level of effort that it has', () => {
    const { dialogue, opened, begin, end } = running({ thinkingEffort: 'max' })
    expect(writes(opened)).toMatchObject([{ params: { effort: 'xhigh' } }])
    begin()
    dialogue.onCommand({ type: 'set_model', model: 'gpt-6-luna' })
    end()
    const next = writes(dialogue.onCommand({ type: 'user_turn', text: 'x' }) ?? [])
    expect(next).toMatchObject([{ params: { model: 'gpt-6-luna', effort: 'max' } }])
  })

  test('a resumed thread without a sandbox gets one, unless that was asked for', () => {
    const policy = (options: Partial<RunOptions>) => asRecord(writes(running(options).opened)[0]?.params)?.sandboxPolicy
    expect(policy({ sessionId: 't1' })).toEqual({ type: 'readOnly', networkAccess: false })
    expect(policy({ sessionId: 't1', approvalMode: 'yolo' })).toEqual({ type: 'dangerFullAccess' })
    expect(policy({})).toBeUndefined()
  })

  test.each([
    ['item/commandExecution/requestApproval', { approve: 'accept', always: 'acceptForSession', deny: 'decline' }],
    ['item/fileChange/requestApproval', { approve: 'accept', always: 'acceptForSession', deny: 'decline' }],
  ])('%s: each answer has its decision', (method, decisions) => {
    const request = JSON.stringify({ id: 7, method, params: { threadId: 't1', itemId: 'i', command: 'ls' } })
    const answered = (command: 'approve' | 'deny', detail?: string) => {
      const { dialogue, begin } = running()
      begin()
      dialogue.onLine(request, 'stdout')
      return writes(dialogue.onCommand({ type: command, interactionId: 'i', detail }) ?? [])
    }
    expect(answered('approve')).toEqual([{ id: 7, result: { decision: decisions.approve } }])
    expect(answered('approve', 'always')).toEqual([{ id: 7, result: { decision: decisions.always } }])
    expect(answered('deny')).toEqual([{ id: 7, result: { decision: decisions.deny } }])
  })

  test('permissions are granted as they were asked for, or not at all', () => {
    const permissions = { network: { enabled: true } }
    const request = JSON.stringify({
      id: 7,
      method: 'item/permissions/requestApproval',
      params: { threadId: 't1', itemId: 'i', permissions },
    })
    const { dialogue } = running()
    dialogue.onLine(request, 'stdout')
    expect(writes(dialogue.onCommand({ type: 'approve', interactionId: 'i' }) ?? [])).toEqual([
      { id: 7, result: { permissions, scope: 'turn' } },
    ])
    expect(dialogue.onCommand({ type: 'approve', interactionId: 'i' })).toBeNull()
  })

  test('several questions of one request are answered together', () => {
    const questions = [
      { id: 'a', question: 'A?' },
      { id: 'b', question: 'B?' },
    ]
    const { dialogue } = running()
    const line = { id: 7, method: 'item/tool/requestUserInput', params: { threadId: 't1', itemId: 'i', questions } }
    expect(typesOf(dialogue.onLine(JSON.stringify(line), 'stdout'))).toEqual(['input_required', 'input_required'])
    expect(dialogue.onCommand({ type: 'answer', interactionId: 'i:b', text: '2' })).toEqual([])
    expect(writes(dialogue.onCommand({ type: 'answer', interactionId: 'i:a', text: '1' }) ?? [])).toEqual([
      { id: 7, result: { answers: { a: { answers: ['1'] }, b: { answers: ['2'] } } } },
    ])
  })

  test('a request nobody knows is refused, so that the server does not wait', () => {
    const { dialogue } = running()
    const effects = dialogue.onLine('{"id":9,"method":"new/thing","params":{}}', 'stdout')
    expect(writes(effects)).toMatchObject([{ id: 9, error: { code: -32601 } }])
    expect(effects).toContainEqual({ unrecognized: 'request:new/thing' })
  })

  test('a one-shot run over the app server closes after its turn and declines what is asked', () => {
    const { dialogue, begin, end } = running({ nonInteractive: true, approvalMode: 'accept-edits' })
    begin()
    const asked = dialogue.onLine(
      '{"id":3,"method":"item/commandExecution/requestApproval","params":{"threadId":"t1","itemId":"i"}}',
      'stdout',
    )
    expect(typesOf(asked)).toEqual(['approval_request', 'approval_denied'])
    expect(writes(asked)).toEqual([{ id: 3, result: { decision: 'decline' } }])
    expect(end().at(-1)).toEqual({ closeStdin: true })
  })

  test('exec takes no commands', () => {
    const dialogue = createDialogue({ prompt: 'x', nonInteractive: true })
    expect(dialogue.onCommand({ type: 'user_turn', text: 'more' })).toBeNull()
    expect(dialogue.onCommand({ type: 'interrupt' })).toBeNull()
  })
})

describe('recordings without a hint', () => {
  test.each([
    ['d-401', { kind: 'auth_required' }],
    ['d-403', { kind: 'auth_required' }],
    ['e-429', { kind: 'rate_limited' }],
    ['e-quota', { kind: 'quota_exhausted' }],
    ['f-500', { code: 'MODEL_ERROR' }],
    ['g-context', { kind: 'context_exhausted' }],
    ['k-noenvkey', { kind: 'auth_required' }],
    ['k-noauth', { code: 'MODEL_ERROR' }],
    ['exec-404-model', { code: 'MODEL_NOT_FOUND' }],
    ['exec-context-400', { kind: 'context_exhausted' }],
    ['exec-refusal', { code: 'REFUSED' }],
    ['exec-cut', { code: 'MODEL_ERROR' }],
    ['exec-overloaded', { code: 'MODEL_ERROR' }],
    ['app-401', { kind: 'auth_required' }],
    ['app-404-model', { code: 'MODEL_NOT_FOUND' }],
    ['app-context-400', { kind: 'context_exhausted' }],
    ['app-quota', { kind: 'quota_exhausted' }],
    ['app-refusal', { code: 'REFUSED' }],
    ['app-cut', { code: 'MODEL_ERROR' }],
    ['app-network', { code: 'MODEL_ERROR' }],
    ['app-resume-bad', { code: 'SESSION_NOT_FOUND' }],
  ])('%s fails for the right reason', (name, outcome) => {
    expect(failures(parsed(name))[0]?.outcome).toMatchObject(outcome)
  })

  test.each(['d-401', 'd-403', 'app-401', 'k-noauth', 'app-network'])('%s is ended at once', (name) => {
    expect(failures(parsed(name))[0]?.endNow).toBe(true)
  })

  test('each failed turn of one dialogue has its own reason', () => {
    const kinds = failures(parsed('app-error')).map(({ outcome }) => outcome.kind)
    expect(kinds).toEqual(['context_exhausted', 'context_exhausted', 'quota_exhausted', 'rate_limited', 'failed'])
    expect(failures(parsed('app-error'))[2]?.outcome).toMatchObject({ resetAt: 1794773436000 })
  })

  test.each(['c-escalate', 'c-patch-ro', 'exec-mcp-approval'])('%s was denied', (name) => {
    expect(typesOf(parsed(name)).filter((type) => /^(approval|tool_error)/.test(type))).toEqual([
      'approval_request',
      'approval_denied',
      'tool_error',
    ])
  })

  test.each(['c-plan', 'exec-question'])('%s failed, but not for want of permission', (name) => {
    expect(typesOf(parsed(name))).toContain('tool_error')
    expect(typesOf(parsed(name))).not.toContain('approval_denied')
  })

  test('answers to approvals are read from what became of the calls', () => {
    const verdicts = typesOf(parsed('app-approval')).filter((type) => /approval_(granted|denied)/.test(type))
    expect(verdicts).toEqual(['approval_granted', 'approval_denied', 'approval_denied', 'approval_granted'])
  })

  test.each([
    ['a-text', 1150, 45],
    ['h-mcp', 3450, 135],
    ['app-basic', 3450, 135],
    ['app-approval', 8050, 315],
    ['app-compaction', 3450, 75],
    ['app-subagent', 4600, 100],
    ['app-interrupt-tool', 2300, 50],
  ])('%s used what it used, once', (name, input, output) => {
    const effects = parsed(name)
    expect([sum(effects, 'inputTokens'), sum(effects, 'outputTokens')]).toEqual([input, output])
  })

  test('exec cannot tell the usage of a resumed run', () => {
    expect(typesOf(parsed('s-resume', { sessionId: 'x' }))).not.toContain('token_usage')
  })

  test('tools and their insides', () => {
    expect(typesOf(parsed('c-tool'))).toEqual([
      ...['session_start', 'turn_start', 'stream_fallback', 'text_delta', 'message_stop'],
      ...['tool_call_start', 'tool_call_ready', 'shell_start', 'shell_stdout_delta', 'shell_exit', 'tool_result'],
      ...['text_delta', 'message_stop', 'token_usage', 'turn_end'],
    ])
    expect(typesOf(parsed('c-patch-ws')).slice(2, 6)).toEqual([
      'tool_call_start',
      'tool_call_ready',
      'tool_result',
      'file_create',
    ])
    expect(drafts(parsed('app-failed-command'))).toContainEqual(
      expect.objectContaining({ type: 'tool_error', error: 'oops\n' }),
    )
    expect(drafts(parsed('app-subagent'))).toContainEqual(
      expect.objectContaining({ type: 'subagent_result', summary: 'Subagent done.' }),
    )
  })

  test('nothing in any recording is unknown', () => {
    for (const name of readdirSync(FIXTURES)) {
      expect(parsed(name).filter((effect) => 'unrecognized' in effect && effect.unrecognized !== '')).toEqual([])
    }
  })
})

describe('the end of the process', () => {
  const exitOf = (exit: { exitCode: number | null; signal: string | null; stderr?: string }) => {
    const dialogue = createDialogue({ prompt: '', nonInteractive: true })
    dialogue.onLine('{"type":"turn.started"}', 'stdout')
    return failures(dialogue.onExit({ stderr: '', ...exit }))[0]?.outcome
  }

  test('is judged by stderr, signal and code', () => {
    expect(exitOf({ exitCode: 1, signal: null, stderr: read('s-resume-bad/stderr.txt') })).toMatchObject({
      code: 'SESSION_NOT_FOUND',
    })
    expect(exitOf({ exitCode: 1, signal: null, stderr: read('nogit/stderr.txt') })).toMatchObject({
      code: 'VALIDATION_ERROR',
    })
    expect(exitOf({ exitCode: null, signal: 'SIGTERM' })).toMatchObject({ kind: 'cancelled' })
    expect(exitOf({ exitCode: 130, signal: null })).toMatchObject({ kind: 'cancelled' })
    expect(exitOf({ exitCode: 0, signal: null })).toMatchObject({ kind: 'protocol_drift' })
    expect(exitOf({ exitCode: 101, signal: null })).toBeUndefined()
  })

  test('after an error that no turn.failed confirmed, the error counts', () => {
    const dialogue = createDialogue({ prompt: '', nonInteractive: true })
    dialogue.onLine('{"type":"error","message":"Quota exceeded."}', 'stdout')
    expect(failures(dialogue.onExit({ exitCode: 1, signal: null, stderr: '' }))[0]?.outcome.kind).toBe(
      'quota_exhausted',
    )
  })
})

describe('totality', () => {
  const corpus = readdirSync(FIXTURES).flatMap((name) => linesOf(`${name}/stdout.jsonl`))
  const methods = [...new Set(corpus.flatMap((line) => /"method":"([^"]+)"/.exec(line)?.[1] ?? []))]
  const types = ['thread.started', 'item.started', 'item.completed', 'turn.completed', 'turn.failed', 'error']
  const items = ['commandExecution', 'fileChange', 'mcpToolCall', 'reasoning', 'agent_message', 'subAgentActivity', 'x']
  const junk = fc.jsonValue()
  const item = fc.record({ type: fc.constantFrom(...items), id: junk, changes: junk, status: junk, text: junk })
  const record = fc.oneof(
    fc.record({
      method: fc.constantFrom(...methods),
      params: fc.oneof(junk, fc.record({ item, turn: junk, delta: junk })),
    }),
    fc.record({
      id: fc.nat(4),
      method: fc.constantFrom(...methods),
      params: fc.oneof(junk, fc.record({ questions: junk })),
    }),
    fc.record({ id: fc.nat(4), result: junk }),
    fc.record({ id: fc.nat(4), error: junk }),
    fc.record({ type: fc.constantFrom(...types), item: fc.oneof(junk, item), message: junk, usage: junk, error: junk }),
  )

  test('no record, no garbage and no broken line makes it throw', () => {
    const line = fc.oneof(
      record.map((value) => JSON.stringify(value)),
      fc.string(),
      fc.tuple(fc.constantFrom(...corpus), fc.nat(400)).map(([text, end]) => text.slice(0, end)),
    )
    fc.assert(
      fc.property(fc.boolean(), fc.array(fc.tuple(line, fc.boolean()), { maxLength: 30 }), (isLive, given) => {
        const options: RunOptions = { prompt: 'x', nonInteractive: !isLive }
        const dialogue = createDialogue(options)
        if (isLive) dialogue.start(options)
        for (const [text, isStderr] of given) dialogue.onLine(text, isStderr ? 'stderr' : 'stdout')
        for (const type of ['interrupt', 'close'] as const) dialogue.onCommand({ type })
        dialogue.onExit({ exitCode: 1, signal: null, stderr: '' })
      }),
      { numRuns: 500 },
    )
  })
})
