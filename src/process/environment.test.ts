import { expect, test } from 'vitest'
import { agentEnvironment } from './environment.ts'

test('settings in a variable stay below what a run says, by key', () => {
  const own = { S: '{"permission":{"*":"deny"}}', T: '{"a":1}' }
  const env = agentEnvironment({
    processEnv: { S: '{"provider":{"x":1},"permission":{"bash":"allow"}}', T: 'not JSON' },
    passEnv: ['S', 'T'],
    set: [own, { S: '{"provider":{"y":1},"permission":{"*":"allow"}}' }],
    joined: { names: ['S', 'T', 'U'], own },
    runId: 'r',
  })
  expect(JSON.parse(env.S ?? '')).toEqual({ provider: { y: 1 }, permission: { '*': 'deny' } })
  expect(env.T).toBe('{"a":1}')
  expect(env).not.toHaveProperty('U')
})
