import { describe, expect, it } from 'vitest'
import type { Dialogue, Effect } from '../../../contract/dialogue.ts'
import type { RunOptions } from '../../../contract/run-options.ts'
import { createDialogue } from '../../claude/dialogue.ts'
import { drafts, failures, feed, flow, types, unrecognized, writes } from '../../claude/fixtures/replay.ts'

function started(options: Partial<RunOptions> = {}): Dialogue {
  const whole = { prompt: 'hello', ...options }
  const dialogue = createDialogue(whole)
  dialogue.start(whole)
  return dialogue
}

const user = (content: unknown) => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  session_id: '',
})
const RESULT = { type: 'result', subtype: 'success', is_error: false, result: '' }
const canUseTool = (tool_name: string, input: object, request_id = 'r1') => ({
  type: 'control_request',
  request_id,
  request: { subtype: 'can_use_tool', tool_name, input, tool_use_id: 't1' },
})
const reply = (response: object, request_id = 'r1') => ({
  type: 'control_response',
  response: { subtype: 'success', request_id, response },
})

/** Plays the CLI's side of a recording; `respond` plays the host. Returns what each host line became. */
function play(name: string, respond: (dialogue: Dialogue, effects: Effect[], step: number) => Effect[]): Effect[][] {
  const dialogue = started()
  return flow(name)
    .filter(({ dir }) => dir === 'out')
    .map(({ msg }, step) => {
      const effects = feed(dialogue, msg)
      return [...effects, ...respond(dialogue, effects, step)]
    })
}

describe('recorded conversations', () => {
  it('permission: allow, deny, deny and stop', () => {
    const decisions = ['approve', 'deny', 'deny'] as const
    let asked = 0
    const effects = play('permission', (dialogue, seen) =>
      drafts(seen).flatMap((draft) => {
        if (draft.type !== 'approval_request') return []
        const type = decisions[asked++] ?? 'deny'
        return dialogue.onCommand({ type, interactionId: draft.interactionId }) ?? []
      }),
    ).flat()
    const recorded = flow('permission').filter(({ dir, msg }) => dir === 'in' && msg.type === 'control_response')
    const ours = writes(effects)
    expect(ours).toHaveLength(3)
    expect(ours[0]).toEqual(recorded[0]?.msg)
    expect(ours[1]).toMatchObject({ response: { response: { behavior: 'deny', message: 'Denied.' } } })
    // The answers are emitted by those who gave them, and the result's list of denials is not news.
    expect(types(effects).filter((type) => type.startsWith('approval'))).toEqual(Array(3).fill('approval_request'))
    expect(types(effects).filter((type) => type === 'turn_end')).toHaveLength(4)
    expect(types(effects).filter((type) => type === 'session_start')).toHaveLength(1)
    expect(failures(effects).map(({ outcome }) => outcome.kind)).toEqual(['cancelled'])
    expect(unrecognized(effects)).toEqual([])
    const costs = drafts(effects).flatMap((draft) => (draft.type === 'cost' ? [draft.cost.totalUsd] : []))
    expect(costs).toEqual([0.00266, 0.00532, 0.00665, 0.00798])
  })

  it('interrupt: the turn is cancelled, the next one works', () => {
    const effects = play('interrupt', () => []).flat()
    expect(failures(effects).map(({ outcome }) => outcome.kind)).toEqual(['cancelled'])
    expect(types(effects).filter((type) => type === 'turn_end')).toHaveLength(2)
    expect(unrecognized(effects)).toEqual([])
  })

  it('multi-turn: usage by model, cost that grows', () => {
    const effects = play('multiturn', () => []).flat()
    const usage = drafts(effects).flatMap((draft) =>
      draft.type === 'token_usage' && draft.costUsd !== undefined ? [[draft.model, draft.costUsd]] : [],
    )
    expect(usage).toEqual([
      ['claude-opus-5-5', 0.00133],
      ['claude-opus-5-5', 0.00133],
      ['claude-sonnet-5-5', 0.000665],
    ])
    expect(drafts(effects).findLast((draft) => draft.type === 'cost')).toMatchObject({ cost: { totalUsd: 0.003325 } })
    expect(unrecognized(effects)).toEqual([])
  })
})

describe('turns', () => {
  it('begins with the prompt, one-shot runs with nothing', () => {
    const live = { prompt: ['a', 'b'] }
    expect(writes(createDialogue(live).start(live))).toEqual([user('a\n\nb')])
    const oneShot = { prompt: 'a', nonInteractive: true }
    expect(createDialogue(oneShot).start(oneShot)).toEqual([])
    expect(createDialogue(oneShot).onCommand({ type: 'user_turn', text: 'x' })).toBeNull()
  })

  it('sends attachments before the text, where the CLI looks for mentions', () => {
    const options = {
      prompt: 'look',
      attachments: [
        { filePath: '/a b.txt' },
        { base64: 'aGk=', mimeType: 'image/png' },
        { url: 'https://x.test/p.pdf', mimeType: 'application/pdf' },
      ],
    }
    expect(writes(createDialogue(options).start(options))).toEqual([
      user([
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
        { type: 'document', source: { type: 'url', url: 'https://x.test/p.pdf' } },
        { type: 'text', text: 'look\n\n@"/a b.txt"' },
      ]),
    ])
  })

  it('lets a user turn wait for the running one', () => {
    const dialogue = started()
    expect(dialogue.onCommand({ type: 'user_turn', text: 'second' })).toEqual([])
    expect(dialogue.onCommand({ type: 'user_turn', text: 'third' })).toEqual([])
    expect(writes(feed(dialogue, RESULT))).toEqual([user('second')])
    expect(writes(feed(dialogue, RESULT))).toEqual([user('third')])
    expect(dialogue.busy?.()).toBe(true)
    expect(writes(feed(dialogue, RESULT))).toEqual([])
    expect(dialogue.busy?.()).toBe(false)
    expect(writes(dialogue.onCommand({ type: 'user_turn', text: 'fourth' }) ?? [])).toEqual([user('fourth')])
  })

  describe('steer', () => {
    const INIT = { type: 'system', subtype: 'init', session_id: 's' }
    const taken = (text: string) => ({ ...user(text), isReplay: true })
    const running = () => {
      const dialogue = started()
      feed(dialogue, INIT)
      feed(dialogue, taken('hello'))
      return dialogue
    }
    const steer = (dialogue: Dialogue, text: string) => dialogue.onCommand({ type: 'steer', text }) ?? []

    it('goes into the running turn, once there is one', () => {
      const dialogue = started()
      expect(steer(dialogue, 'early')).toEqual([])
      feed(dialogue, INIT)
      expect(writes(feed(dialogue, taken('hello')))).toEqual([user('early')])
      expect(writes(steer(dialogue, 'later'))).toEqual([user('later')])
    })

    it('is done when the CLI takes it up', () => {
      const dialogue = running()
      steer(dialogue, 'one')
      steer(dialogue, 'two ')
      feed(dialogue, taken('one\ntwo'))
      dialogue.onCommand({ type: 'user_turn', text: 'next' })
      expect(writes(feed(dialogue, RESULT))).toEqual([user('next')])
    })

    it('becomes a turn of its own when the CLI does not: the run stays open for it', () => {
      const dialogue = running()
      steer(dialogue, 'one')
      dialogue.onCommand({ type: 'user_turn', text: 'next' })
      dialogue.onCommand({ type: 'close' })
      expect(writes(feed(dialogue, RESULT))).toEqual([])
      expect(dialogue.busy?.()).toBe(true)
      feed(dialogue, INIT)
      feed(dialogue, taken('one'))
      expect(writes(feed(dialogue, RESULT))).toEqual([user('next')])
      expect(feed(dialogue, RESULT)).toContainEqual({ closeStdin: true })
    })

    it('is not lost when the turn ends before it began', () => {
      const dialogue = started()
      steer(dialogue, 'early')
      expect(writes(feed(dialogue, RESULT))).toEqual([user('early')])
    })

    it('never waits for an echo that it cannot read', () => {
      const dialogue = running()
      steer(dialogue, 'one')
      feed(dialogue, taken('changed by the CLI'))
      feed(dialogue, RESULT)
      expect(dialogue.busy?.()).toBe(false)
    })
  })

  it('closes when nothing is left to do', () => {
    const dialogue = started()
    dialogue.onCommand({ type: 'user_turn', text: 'second' })
    expect(dialogue.onCommand({ type: 'close' })).toEqual([])
    expect(feed(dialogue, RESULT)).not.toContainEqual({ closeStdin: true })
    expect(feed(dialogue, RESULT)).toContainEqual({ closeStdin: true })
    const idle = started()
    feed(idle, RESULT)
    expect(idle.onCommand({ type: 'close' })).toEqual([{ closeStdin: true }])
  })

  it('interrupts a turn, and nothing else', () => {
    const dialogue = started()
    expect(writes(dialogue.onCommand({ type: 'interrupt' }) ?? [])).toEqual([
      { type: 'control_request', request_id: 'amux-interrupt-1', request: { subtype: 'interrupt' } },
    ])
    feed(dialogue, RESULT)
    expect(dialogue.onCommand({ type: 'interrupt' })).toEqual([])
  })

  it('changes the model, and believes it when the CLI confirms', () => {
    const dialogue = started()
    expect(writes(dialogue.onCommand({ type: 'set_model', model: 'haiku' }) ?? [])).toEqual([
      { type: 'control_request', request_id: 'amux-set_model-1', request: { subtype: 'set_model', model: 'haiku' } },
    ])
    expect(feed(dialogue, reply({ model: 'claude-haiku-5-5' }, 'amux-set_model-1'))).toEqual([
      { model: 'claude-haiku-5-5' },
    ])
    const error = { subtype: 'error', request_id: 'amux-set_model-2', error: 'no' }
    expect(types(feed(dialogue, { type: 'control_response', response: error }))).toEqual(['debug'])
  })
})

describe('approvals and questions', () => {
  it('asks with what a person needs to see', () => {
    const [event] = drafts(feed(started(), canUseTool('Write', { file_path: '/x', content: 'y' })))
    expect(event).toEqual({
      type: 'approval_request',
      interactionId: 'r1',
      action: 'Write',
      detail: '/x',
      toolName: 'Write',
      toolCallId: 't1',
      riskLevel: 'medium',
      input: { file_path: '/x', content: 'y' },
      kind: 'edit',
      paths: ['/x'],
    })
  })

  it('answers each request once', () => {
    const dialogue = started()
    feed(dialogue, canUseTool('Bash', { command: 'ls' }))
    expect(writes(dialogue.onCommand({ type: 'approve', interactionId: 'r1' }) ?? [])).toEqual([
      reply({ behavior: 'allow', updatedInput: { command: 'ls' } }),
    ])
    expect(dialogue.onCommand({ type: 'approve', interactionId: 'r1' })).toBeNull()
    expect(dialogue.onCommand({ type: 'deny', interactionId: 'nobody' })).toBeNull()
  })

  it('denies by itself in a read-only run', () => {
    const effects = feed(started({ approvalMode: 'deny' }), canUseTool('Write', { file_path: '/x' }))
    expect(types(effects)).toEqual(['approval_request', 'approval_denied'])
    expect(writes(effects)).toEqual([reply({ behavior: 'deny', message: 'This run is read-only.' })])
  })

  it('puts questions one by one and answers them together', () => {
    const dialogue = started()
    const question = (text: string) => ({ question: text, options: [{ label: 'Red', description: 'warm' }] })
    const input = { questions: [question('Which?'), question('And then?')] }
    expect(drafts(feed(dialogue, canUseTool('AskUserQuestion', input)))).toEqual([
      {
        type: 'input_required',
        interactionId: 'r1#0',
        question: 'Which?',
        context: 'Red: warm',
        options: ['Red'],
        source: 'agent',
      },
      expect.objectContaining({ interactionId: 'r1#1', question: 'And then?' }),
    ])
    expect(dialogue.onCommand({ type: 'answer', interactionId: 'r1#1', text: 'Blue' })).toEqual([])
    expect(writes(dialogue.onCommand({ type: 'answer', interactionId: 'r1#0', text: 'Red' }) ?? [])).toEqual([
      reply({ behavior: 'allow', updatedInput: { ...input, answers: { 'And then?': 'Blue', 'Which?': 'Red' } } }),
    ])
    expect(dialogue.onCommand({ type: 'answer', interactionId: 'r1#0', text: 'again' })).toBeNull()
  })

  it('takes back a request that the CLI cancels', () => {
    const dialogue = started()
    feed(dialogue, canUseTool('Bash', { command: 'ls' }))
    expect(types(feed(dialogue, { type: 'control_cancel_request', request_id: 'r1' }))).toEqual(['approval_denied'])
    expect(dialogue.onCommand({ type: 'approve', interactionId: 'r1' })).toBeNull()
    expect(feed(dialogue, { type: 'control_cancel_request', request_id: 'r1' })).toEqual([])
  })

  it('does not leave an unknown request without an answer', () => {
    const effects = feed(started(), { type: 'control_request', request_id: 'r9', request: { subtype: 'new' } })
    expect(writes(effects)).toMatchObject([{ response: { subtype: 'error', request_id: 'r9' } }])
    expect(unrecognized(effects)).toEqual(['control_request/new'])
  })

  it.each([
    ['hook_callback', {}],
    ['elicitation', { action: 'cancel' }],
  ])('answers %s, which nobody has to be asked about', (subtype, response) => {
    const effects = feed(started(), { type: 'control_request', request_id: 'r9', request: { subtype } })
    expect(writes(effects)).toMatchObject([{ response: { subtype: 'success', request_id: 'r9', response } }])
    expect(unrecognized(effects)).toEqual([])
  })
})
