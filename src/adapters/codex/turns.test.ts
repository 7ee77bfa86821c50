import { describe, expect, test } from 'vitest'
import type { RunOptions } from '../../contract/run-options.ts'
import { asRecord, type JsonRecord } from '../../core/json.ts'
import { createDialogue } from './dialogue.ts'
import { types, writes } from './fixtures/replay.ts'

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

  test('the instructions that the CLI has read are named', () => {
    const dialogue = createDialogue({ prompt: 'go' })
    dialogue.start({ prompt: 'go' })
    dialogue.onLine('{"id":1,"result":{}}', 'stdout')
    const result = { ...threadStarted.result, instructionSources: ['/work/AGENTS.md', 7] }
    const effects = dialogue.onLine(JSON.stringify({ id: 2, result }), 'stdout')
    expect(effects).toContainEqual({ emit: { type: 'agentdoc_read', path: '/work/AGENTS.md' } })
    expect(types(effects).filter((type) => type === 'agentdoc_read')).toHaveLength(1)
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
    expect(types(dialogue.onLine(JSON.stringify(line), 'stdout'))).toEqual(['input_required', 'input_required'])
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
    expect(types(asked)).toEqual(['approval_request', 'approval_denied'])
    expect(writes(asked)).toEqual([{ id: 3, result: { decision: 'decline' } }])
    expect(end().at(-1)).toEqual({ closeStdin: true })
  })

  test('exec takes no commands', () => {
    const dialogue = createDialogue({ prompt: 'x', nonInteractive: true })
    expect(dialogue.onCommand({ type: 'user_turn', text: 'more' })).toBeNull()
    expect(dialogue.onCommand({ type: 'interrupt' })).toBeNull()
  })
})
