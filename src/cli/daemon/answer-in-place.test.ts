import { describe, expect, test, vi } from 'vitest'
import type { DaemonClient } from '../../client/index.ts'
import type { ManagedSession } from '../../contract/api/managed-session.ts'
import { AgentMuxError } from '../../contract/errors.ts'
import type { PendingInteraction } from '../../contract/run-handle.ts'
import { plain } from '../output.ts'
import { Asking } from './answer-in-place.ts'

const approval: PendingInteraction = {
  type: 'approval',
  ...{ id: 'ask-1', runId: 'r', description: 'touch made.txt', createdAt: 1 },
  detail: { kind: 'approval', action: 'execute', toolName: 'Bash', riskLevel: 'low' },
}
const question: PendingInteraction = {
  type: 'input',
  ...{ id: 'q-1', runId: 'r', description: 'Which colour?', createdAt: 1 },
  detail: { kind: 'input', question: 'Which colour?', options: ['red', 'blue'], source: 'agent' },
}

/** Only what is read of it. */
function session(fields: Partial<ManagedSession>): ManagedSession {
  const activity = { state: 'blocked', launch: 1, why: 'a dialog is open', source: null, at: null, since: 1 }
  return {
    id: 'k3v9',
    name: 'fix',
    agent: 'claude',
    mode: 'headless',
    launch: 1,
    pending: [],
    activity,
    attention: null,
    ...fields,
  } as ManagedSession
}

function scene(ask: ((question: string, signal: AbortSignal) => Promise<string | null>) | null) {
  const said: string[] = []
  const call = vi.fn(async () => ({}))
  const client = { call } as unknown as DaemonClient
  const asking = new Asking({ client, ask, say: (line) => said.push(line), pause() {}, paint: plain })
  return { said, call, asking }
}

describe('without anybody to ask', () => {
  test('what is asked, and the commands that answer it, once', async () => {
    const { said, call, asking } = scene(null)
    asking.update(session({ pending: [approval] }))
    asking.update(session({ pending: [approval] }))
    await asking.idle
    expect(said).toEqual([
      '? claude asks for a permission: Bash touch made.txt',
      '  answer with: amux approve fix  or  amux deny fix',
    ])
    asking.update(session({ pending: [approval, question] }))
    await asking.idle
    expect(said.slice(2)).toEqual([
      '? claude asks: Which colour?',
      '  1. red',
      '  2. blue',
      '  answer with: amux send fix "…"',
    ])
    expect(call).not.toHaveBeenCalled()
  })

  test('a dialog on a screen', async () => {
    const { said, asking } = scene(null)
    asking.update(session({ mode: 'terminal', name: null }))
    await asking.idle
    expect(said).toEqual([
      '? claude asks: a dialog is open',
      '  answer with: amux approve k3v9  or  amux deny k3v9  or  amux attach k3v9',
    ])
  })
})

describe('on a terminal', () => {
  test.each([
    ['y', 'approve'],
    ['No', 'deny'],
  ])('%s is %s', async (answer, decision) => {
    const { call, asking } = scene(async () => answer)
    asking.update(session({ pending: [approval] }))
    expect(asking.isBusy).toBe(true)
    await asking.idle
    expect(call).toHaveBeenCalledExactlyOnceWith('answer', { id: 'k3v9', interactionId: 'ask-1', decision })
    expect(asking.isBusy).toBe(false)
  })

  test('a question is answered by its number', async () => {
    const { call, asking } = scene(async () => '2')
    asking.update(session({ pending: [question] }))
    await asking.idle
    expect(call).toHaveBeenCalledWith('answer', { id: 'k3v9', interactionId: 'q-1', decision: 'text', text: 'blue' })
  })

  test('a dialog that cannot be answered by yes or no says where it can', async () => {
    const { said, call, asking } = scene(async () => 'y')
    call.mockRejectedValue(new AgentMuxError('NO_PENDING_INTERACTION', 'No permission dialog is on its screen'))
    asking.update(session({ mode: 'terminal', activity: { ...session({}).activity, why: 'it asks for a theme' } }))
    await asking.idle
    expect(said).toEqual([
      '? claude asks: it asks for a theme',
      '  No permission dialog is on its screen',
      '  answer with: amux attach fix',
    ])
  })

  test('one that is answered elsewhere is taken back', async () => {
    const { said, call, asking } = scene(
      (_question, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(null))),
    )
    asking.update(session({ pending: [approval] }))
    await new Promise((resolve) => setImmediate(resolve))
    asking.update(session({}))
    await asking.idle
    expect(call).not.toHaveBeenCalled()
    expect(said.at(-1)).toContain('no longer asked')
  })
})

test('a long command is cut, and all of it can be seen before the answer', async () => {
  const command = Array.from({ length: 40 }, (_, index) => `echo ${index}`).join('\n')
  const access = { kind: 'execute' as const, paths: [], command }
  const long: PendingInteraction = {
    ...approval,
    description: command,
    detail: { kind: 'approval', action: 'Bash', toolName: 'Bash', riskLevel: 'high', input: { command }, access },
  }
  const answers = ['v', 'y']
  const { said, call, asking } = scene(async () => answers.shift() ?? null)
  asking.update(session({ pending: [long] }))
  await asking.idle
  expect(said.slice(0, 2)).toEqual(['? claude asks for a permission: Bash', '    echo 0'])
  expect(said[20]).toBe('    … 21 more lines (v shows all)')
  expect(said.slice(21)).toEqual(command.split('\n').map((line) => `    ${line}`))
  expect(call).toHaveBeenCalledWith('answer', { id: 'k3v9', interactionId: long.id, decision: 'approve' })
})
