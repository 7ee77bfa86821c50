import { expect, test } from 'vitest'
import { createClientIn } from './client.ts'

// What the real CLIs set for the commands that they run.
test.each<[string, Record<string, string>]>([
  ['omp', { OMPCODE: '1', AGENT: '1', CLAUDECODE: '1', CI: 'true' }],
  ['claude', { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'x' }],
  ['claude', { CLAUDECODE: '1' }],
  ['pi', { AI_AGENT: 'pi', PI_CODING_AGENT: 'true', PI_SESSION_ID: 'x', PI_SESSION_FILE: 'y' }],
  ['pi', { PI_CODING_AGENT: 'true' }],
])('%s is told by %j', (agent, env) => {
  expect(createClientIn(env).detectHost()?.agent).toBe(agent)
})
