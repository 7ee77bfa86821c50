import { expect, test } from 'vitest'
import type { Effect } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { createDialogue } from './dialogue.ts'

const MODES = { currentModeId: 'default', availableModes: [{ id: 'default' }, { id: 'yolo' }] }
const PERMISSION = {
  sessionId: 's',
  toolCall: { toolCallId: 't', title: 'Bash', kind: 'execute' },
  options: [{ optionId: 'once', name: 'Once', kind: 'allow_once' }],
}

test.each([
  [{}, ['session/set_mode'], [undefined]],
  [{ maxCostUsd: 1 }, [], [true]],
])('with %j a yolo run sets its mode %j, and its calls wait for usage: %j', (more, set, afterUsage) => {
  const options: RunOptions = { agent: 'kimi', prompt: 'p', approvalMode: 'yolo', ...more }
  const dialogue = createDialogue(options)
  const feed = (message: object) => dialogue.onLine(JSON.stringify({ jsonrpc: '2.0', ...message }), 'stdout')
  const methods = (effects: Effect[]) =>
    effects.flatMap((one) => ('write' in one ? [String(JSON.parse(one.write).method)] : []))
  dialogue.start(options)
  feed({ id: 1, result: { protocolVersion: 1 } })
  const opened = methods(feed({ id: 2, result: { sessionId: 's', modes: MODES } }))
  expect(opened.filter((method) => method.startsWith('session/set'))).toEqual(set)
  if (set.length > 0) feed({ id: 3, result: {} })
  const answers = feed({ id: 0, method: 'session/request_permission', params: PERMISSION })
  expect(answers.flatMap((one) => ('write' in one ? [one.afterUsage] : []))).toEqual(afterUsage)
})
