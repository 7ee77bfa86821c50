import { expect, test } from 'vitest'
import { detectHost } from '../../mux/detect-host.ts'
import { builtInAdapters } from '../index.ts'

const agents = builtInAdapters.map(({ manifest }) => ({
  agent: manifest.agent,
  source: 'built-in' as const,
  hostEnvSignals: manifest.hostEnvSignals ?? [],
}))

// What the real CLIs set for the commands that they run.
test.each([
  ['omp', { OMPCODE: '1', AGENT: '1', CLAUDECODE: '1', CI: 'true' }],
  ['claude', { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'x' }],
  ['claude', { CLAUDECODE: '1' }],
  ['pi', { AI_AGENT: 'pi', PI_CODING_AGENT: 'true', PI_SESSION_ID: 'x', PI_SESSION_FILE: 'y' }],
  ['pi', { PI_CODING_AGENT: 'true' }],
])('%s is told by %j', (agent, env) => {
  expect(detectHost(agents, env)?.agent).toBe(agent)
})
