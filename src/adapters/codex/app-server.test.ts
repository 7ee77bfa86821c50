import { describe, expect, test } from 'vitest'
import type { RunOptions } from '../../contract/run-options.ts'
import { asRecord, type JsonRecord } from '../../core/json.ts'
import { createDialogue } from './dialogue.ts'
import { drafts, type FlowStep, failures, flow, sum, types, writes } from './fixtures/replay.ts'

/** Plays the server of a recorded dialogue; what we write must be what was written then, up to ids of requests. */
function driven(name: string, options: Partial<RunOptions>) {
  const given: RunOptions = { prompt: 'hi there', cwd: '/workspace', ...options }
  const dialogue = createDialogue(given)
  const effects = dialogue.start(given)
  const expected: JsonRecord[] = []
  const feed = (stop?: (step: FlowStep) => boolean) => {
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

const isRequest = (method: string) => (step: FlowStep) => step.dir === 'out' && step.msg.method === method

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
    expect(types(effects).slice(-2)).toEqual(['token_usage', 'turn_end'])
    expect(dialogue.busy?.()).toBe(false)
    expect(dialogue.onCommand({ type: 'close' })).toEqual([{ closeStdin: true }])
    expect(dialogue.onExit({ exitCode: 0, signal: null, stderr: '' })).toEqual([])
  })

  test('a resumed thread is counted from where it was', () => {
    const sessionId = asRecord(
      flow('app-resume').find(({ msg }) => msg.method === 'thread/resume')?.msg.params,
    )?.threadId
    const { effects, expected, feed } = driven('app-resume', { prompt: 'second', sessionId: String(sessionId) })
    feed()
    expect(writes(effects)).toEqual(expected)
    expect(drafts(effects)).toContainEqual(expect.objectContaining({ type: 'session_start', sessionId, resumed: true }))
    expect(sum(effects, 'inputTokens')).toBe(1150)
  })

  test('a fork reports its origin and counts only what is new', () => {
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
    expect(types(effects)).toContain(end)
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
    expect(types(effects).filter((type) => type === 'turn_end')).toHaveLength(2)
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
    expect(types(effects).filter((type) => /approval|tool_error/.test(type))).toEqual([
      'approval_request',
      'approval_denied',
      'tool_error',
    ])
  })
})
