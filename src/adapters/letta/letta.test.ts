import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CapabilityError } from '../../contract/errors.ts'
import { createDialogue } from './dialogue.ts'
import adapter, { LettaAdapter } from './index.ts'

const prompt = 'hi'

test('live: the prompt goes over the protocol, and approvals are asked for', () => {
  const { args, stdin } = adapter.buildSpawnArgs({ prompt })
  expect(args).toEqual([
    '--prompt',
    '--output-format',
    'stream-json',
    '--input-format',
    'stream-json',
    '--permission-mode',
    'standard',
    '--new',
  ])
  expect(stdin).toBeUndefined()
})

test('one-shot: the prompt goes by stdin', () => {
  const { args, stdin } = adapter.buildSpawnArgs({
    prompt: ['a', 'b'],
    systemPrompt: 's',
    nonInteractive: true,
    approvalMode: 'yolo',
  })
  expect(args).not.toContain('--input-format')
  expect(args).toContain('unrestricted')
  expect(stdin).toBe('<system_instructions>\ns\n</system_instructions>\n\na\n\nb')
})

test('options', () => {
  const { args } = adapter.buildSpawnArgs({
    prompt,
    sessionId: 'c1',
    model: 'm',
    maxTurns: 3,
    allowedTools: ['Read', 'Bash'],
  })
  expect(args.slice(7)).toEqual([
    '--conversation',
    'c1',
    '--model',
    'm',
    '--max-turns',
    '3',
    '--allowedTools',
    'Read,Bash',
  ])
  expect(() => adapter.buildSpawnArgs({ prompt, forkSessionId: 'c1' })).toThrow(CapabilityError)
})

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

test('reads the conversations of the local backend', async () => {
  const directory = join(import.meta.dirname, 'fixtures', 'sessions')
  const adapter = new LettaAdapter({ env: { LETTA_LOCAL_BACKEND_DIR: directory }, homeDir: '/nowhere' })
  const files = await adapter.listSessionFiles()
  expect(files).toHaveLength(1)
  const session = await adapter.parseSessionFile(files[0] ?? '')
  expect(session).toMatchObject({
    unifiedId: 'letta:local-conv-1',
    title: 'hi',
    turnCount: 2,
    model: 'google/gemma-3n-e4b',
  })
  expect(session.messages.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'hi'],
    ['assistant', 'I will run a command.'],
    ['assistant', 'The command has run.'],
    ['user', 'hi'],
    ['assistant', 'Hello from the scripted model.'],
  ])
  expect(session.messages[1]?.toolCalls?.[0]?.output).toBe('Tool requires approval (headless mode)')
})
