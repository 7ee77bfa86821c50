import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { apiReport, publicSurface } from '../scripts/api-report.mjs'
import * as library from '../src/index.ts'

/** What a user can import. A change here is a change of the public contract. */
const EXPORTS = [
  ...['AGENT_EVENT_TYPES', 'AgentMuxError', 'AuthError', 'BaseAgentAdapter', 'CapabilityError', 'ERROR_CODES'],
  ...['EVENT_GROUPS', 'StreamAssembler', 'ValidationError', 'createClient', 'filterEvents', 'hasCorrelationKey'],
  ...['isAgentMuxError', 'isControlEvent', 'isCostEvent', 'isDebugEvent', 'isErrorEvent', 'isEventType', 'isFileEvent'],
  ...['isImageEvent', 'isInteractionEvent', 'isLimitEvent', 'isMcpEvent', 'isPluginEvent', 'isSessionEvent'],
  ...['isShellEvent', 'isSkillEvent', 'isSubagentEvent', 'isTerminalEvent', 'isTextEvent', 'isThinkingEvent'],
  ...['isToolEvent', 'isTurnEvent', 'serializeEvent', 'sumCost'],
]

test('the library exports exactly these values', () => {
  expect(Object.keys(library).sort()).toEqual(EXPORTS)
})

test('a client has exactly these members', () => {
  expect(Object.keys(library.createClient()).sort()).toEqual([
    'adapters',
    'auth',
    'check',
    'config',
    'defaults',
    'detectHost',
    'models',
    'plugins',
    'profiles',
    'quota',
    'resolveSessions',
    'run',
    'sessions',
    'trust',
    'worktrees',
  ])
})

describe('what can be imported', () => {
  const surface = publicSurface()

  test('is what docs/api.md shows: `npm run api` writes it', () => {
    expect(readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8')).toBe(apiReport(surface))
  })

  test.each(surface)('has a line of doc for every name of $specifier', ({ names }) => {
    expect(names.filter(({ doc }) => doc === '').map(({ name }) => name)).toEqual([])
  })

  test('shows what a class itself has, and what each route of the daemon takes and gives', () => {
    const client = surface.find(({ specifier }) => specifier === 'agent-mux/client')?.names ?? []
    const shapeOf = (name: string) => client.find((one) => one.name === name)?.shape ?? []
    expect(shapeOf('DaemonClient')[0]).toContain('static connect:')
    expect(shapeOf('Routes')).toContain('kill: (input: { id: string; }) => ManagedSession')
    expect(shapeOf('Answer')).toEqual(['Answer<Name>'])
  })
})
