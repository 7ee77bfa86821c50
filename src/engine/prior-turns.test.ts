import { expect, test } from 'vitest'
import { priorTurns } from './prior-turns.ts'

const asked = (turns: () => Promise<number | null>, sessionId?: string) =>
  priorTurns(
    {
      ...{ runId: 'r', agent: 'claude', options: { prompt: 'go', sessionId }, processEnv: {}, notices: [] },
      loadAdapter: () => Promise.reject(new Error('not needed')),
      openUsage: async () => ({ rows: async () => [], turns }),
    },
    { command: 'x', args: [], env: {}, cwd: '/', usePty: false },
    20,
  )

test('the turns of a resumed session are counted in its store', async () => {
  expect(await asked(async () => 4, 's')).toBe(4)
  expect(await asked(async () => 4)).toBeNull()
})

test('what cannot be counted, or not in time, is not known', async () => {
  expect(await asked(async () => 0, 's')).toBeNull()
  expect(await asked(() => Promise.reject(new Error('unreadable')), 's')).toBeNull()
  expect(await asked(() => new Promise(() => {}), 's')).toBeNull()
})
