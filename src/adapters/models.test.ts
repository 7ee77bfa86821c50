import { expect, it } from 'vitest'
import { models as droid } from './droid/models.ts'
import { models as qwen } from './qwen/models.ts'

it('of droid, once the answer to our own request is there', () => {
  const note = JSON.stringify({ type: 'notification', method: 'droid.session_notification' })
  expect(droid.read(`${note}\n`, '')).toBeNull()
  const reported = [
    {
      ...{ id: 'claude-opus-5', displayName: 'Opus 5', modelProvider: 'anthropic' },
      ...{ supportedReasoningEfforts: ['off', 'low', 'high'], noImageSupport: false, supportsPDFs: true },
    },
    { id: 'custom:Mock-0', supportedReasoningEfforts: ['none'], noImageSupport: true },
    { id: 'gone', disabled: true },
  ]
  const answer = JSON.stringify({ type: 'response', id: 'models', result: { models: reported } })
  expect(droid.read(`${note}\n${answer}\n`, '')).toMatchObject([
    {
      modelId: 'claude-opus-5',
      thinkingEffortLevels: ['low', 'high'],
      supportsImageInput: true,
      supportsFileInput: true,
    },
    { modelId: 'custom:Mock-0', supportsThinking: false, supportsImageInput: false },
  ])
})

it('of qwen, those that the user has set up', () => {
  const answer = (response: object) => `${JSON.stringify({ type: 'control_response', response })}\n`
  const hello = answer({ subtype: 'success', request_id: 'initialize', response: {} })
  expect(qwen.read(hello, '')).toBeNull()
  const models = [{ id: 'my-local', label: 'Local one', contextWindowSize: 200_000 }, {}]
  const reported = answer({ subtype: 'success', request_id: 'get_available_models', response: { models } })
  expect(qwen.read(hello + reported, '')).toEqual([
    { modelId: 'my-local', displayName: 'Local one', contextWindow: 200_000 },
  ])
  const refused = answer({ subtype: 'error', request_id: 'get_available_models', error: 'unknown' })
  expect(() => qwen.read(hello + refused, '')).toThrow('get_available_models')
})
