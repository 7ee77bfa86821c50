import { expect, test } from 'vitest'
import { createDialogue } from './dialogue.ts'

const prompt = 'hi'

const REQUEST = JSON.stringify({
  type: 'control_request',
  request_id: 'r1',
  request: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, tool_call_id: 'c1' },
})
const RESULT = JSON.stringify({ type: 'result', subtype: 'success', result: 'done' })

function answers(effects: unknown[] | null): unknown[] {
  return (effects ?? []).flatMap((effect) => {
    const { write } = Object(effect)
    return typeof write === 'string' ? [JSON.parse(write)] : []
  })
}

test('an approval is asked for and answered', () => {
  const dialogue = createDialogue({ prompt })
  dialogue.start({ prompt })
  expect(dialogue.onLine(REQUEST, 'stdout')).toContainEqual({
    emit: expect.objectContaining({ type: 'approval_request', interactionId: 'c1', detail: 'ls' }),
  })
  const response = { subtype: 'success', request_id: 'r1', response: { behavior: 'allow' } }
  expect(answers(dialogue.onCommand({ type: 'approve', interactionId: 'c1' }))).toEqual([
    { type: 'control_response', response },
  ])
})

test('deny answers by itself', () => {
  const options = { prompt, approvalMode: 'deny' } as const
  const dialogue = createDialogue(options)
  dialogue.start(options)
  const effects = dialogue.onLine(REQUEST, 'stdout')
  expect(answers(effects)).toMatchObject([{ response: { response: { behavior: 'deny' } } }])
  expect(dialogue.onLine(RESULT, 'stdout').map((effect) => ('emit' in effect ? effect.emit.type : ''))).toEqual([
    'approval_request',
    'approval_denied',
    'shell_exit',
    'tool_error',
    'turn_end',
  ])
})

test('a message during a turn becomes the next one; then it closes', () => {
  const dialogue = createDialogue({ prompt })
  dialogue.start({ prompt })
  expect(dialogue.onCommand({ type: 'user_turn', text: 'more' })).toEqual([])
  expect(dialogue.onCommand({ type: 'close' })).toEqual([])
  expect(answers(dialogue.onLine(RESULT, 'stdout'))).toEqual([
    { type: 'user', message: { role: 'user', content: 'more' } },
  ])
  expect(dialogue.onLine(RESULT, 'stdout')).toContainEqual({ closeStdin: true })
})

test('an interrupt is asked for, and the turn is cancelled', () => {
  const dialogue = createDialogue({ prompt })
  dialogue.start({ prompt })
  expect(answers(dialogue.onCommand({ type: 'interrupt' }))).toMatchObject([{ request: { subtype: 'interrupt' } }])
  const effects = dialogue.onLine(RESULT, 'stdout')
  expect(effects.flatMap((effect) => ('fail' in effect ? effect.fail.outcome.kind : []))).toEqual(['cancelled'])
})
