import { describe, expect, test } from 'vitest'
import { CapabilityError } from '../../contract/errors.ts'
import { endpointOverride } from './args.ts'
import adapter from './index.ts'

const endpoint = { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'key' }

describe('arguments', () => {
  test('both forms are ACP; the prompt is in the protocol', () => {
    const { command, args, env } = adapter.buildSpawnArgs({ prompt: 'secret words', nonInteractive: true })
    expect([command, args]).toEqual(['vibe-acp', []])
    expect(Object.keys(env ?? {})).not.toContain('VIBE_PROVIDERS')
  })

  test('no request is made for a title, because nobody counts it', () => {
    expect(adapter.buildSpawnArgs({ prompt: 'x' }).env).toMatchObject({
      VIBE_SESSION_LOGGING__GENERATE_TITLES: 'false',
    })
  })

  test('an endpoint brings its model; the key is in a variable of its own', () => {
    const { env = {} } = adapter.buildSpawnArgs({ prompt: 'x', model: 'm', endpoint })
    expect(JSON.parse(env.VIBE_PROVIDERS ?? '')).toMatchObject([
      { api_base: 'http://127.0.0.1:1/v1', api_key_env_var: 'AGENT_MUX_ENDPOINT_KEY' },
    ])
    expect(JSON.parse(env.VIBE_MODELS ?? '')).toMatchObject([{ name: 'm', alias: 'm' }])
    expect(env).toMatchObject({ VIBE_ACTIVE_MODEL: 'm', AGENT_MUX_ENDPOINT_KEY: 'key' })
    expect(() => endpointOverride({ ...endpoint, protocol: 'gemini' })).toThrow(CapabilityError)
  })
})
