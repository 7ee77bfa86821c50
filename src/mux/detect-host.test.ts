import { expect, test } from 'vitest'
import { createClientIn } from './client.ts'

// What the real CLIs set for the commands that they run.
test.each<[string, Record<string, string>]>([
  ['omp', { OMPCODE: '1', AGENT: '1', CLAUDECODE: '1', CI: 'true' }],
  ['claude', { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'x' }],
  ['claude', { CLAUDECODE: '1' }],
  ['claude', { CLAUDE_CODE: '1' }],
  ['claude', { CLAUDE_PROJECT_DIR: '/work' }],
  ['gemini', { CLAUDE_PROJECT_DIR: '/work', GEMINI_CLI: '1' }],
  ['copilot', { CLAUDE_PROJECT_DIR: '/work', COPILOT_CLI: '1', COPILOT_AGENT_SESSION_ID: 'x' }],
  ['pi', { AI_AGENT: 'pi', PI_CODING_AGENT: 'true', PI_SESSION_ID: 'x', PI_SESSION_FILE: 'y' }],
  ['pi', { PI_CODING_AGENT: 'true' }],
])('%s is detected by %j', (agent, env) => {
  expect(createClientIn(env).detectHost()?.agent).toBe(agent)
})
