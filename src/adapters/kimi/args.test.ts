import { describe, expect, test } from 'vitest'
import { CapabilityError } from '../../contract/errors.ts'
import { endpointOverride } from './args.ts'
import adapter from './index.ts'

const endpoint = { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'key' }

describe('arguments', () => {
  test('both forms are ACP; the prompt is in the protocol', () => {
    const { command, args, env } = adapter.buildSpawnArgs({ prompt: 'secret words', nonInteractive: true })
    expect([command, args]).toEqual(['kimi', ['acp']])
    expect(env).toEqual({ KIMI_CODE_NO_AUTO_UPDATE: '1' })
  })

  test('an endpoint brings its model; the key is in the environment only', () => {
    const { args, env } = adapter.buildSpawnArgs({ prompt: 'x', model: 'm', endpoint, thinkingEffort: 'high' })
    expect(args).toEqual(['acp'])
    expect(env).toMatchObject({
      ...{ KIMI_MODEL_NAME: 'm', KIMI_MODEL_API_KEY: 'key', KIMI_MODEL_BASE_URL: 'http://127.0.0.1:1/v1' },
      ...{ KIMI_MODEL_PROVIDER_TYPE: 'kimi', KIMI_MODEL_THINKING_EFFORT: 'high' },
    })
    expect(endpointOverride({ ...endpoint, protocol: 'anthropic' }).env.KIMI_MODEL_PROVIDER_TYPE).toBe('anthropic')
    expect(() => endpointOverride({ ...endpoint, protocol: 'gemini' })).toThrow(CapabilityError)
  })

  test.each([{ allowedTools: ['Bash'] }, { newSessionId: 'x' }])('refuses %j', (options) => {
    expect(() => adapter.buildSpawnArgs({ prompt: 'x', ...options })).toThrow(CapabilityError)
  })
})
