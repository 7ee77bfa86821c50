import { expect, test } from 'vitest'
import { ValidationError } from '../../contract/errors.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import adapter from './index.ts'
import { runRequest } from './options.ts'

const build = (env?: Record<string, string>) => adapter.buildSpawnArgs({ prompt: 'SECRET', cwd: '/w', env })
const request = (options: Partial<RunOptions>) => JSON.parse(JSON.stringify(runRequest({ prompt: 'x', ...options })))

test('the amux on PATH, and nothing of the run on the command line', () => {
  expect(build()).toMatchObject({ command: 'amux', args: ['run', '--json', '--stdio'], cwd: '/w', usePty: false })
  expect(JSON.stringify(build().args)).not.toContain('SECRET')
})

test('another way to get there, without a shell', () => {
  const { command, args } = build({ AMUX_REMOTE_COMMAND: `ssh -T "build box" '$HOME/amux'` })
  expect([command, ...args]).toEqual(['ssh', '-T', 'build box', '$HOME/amux', 'run', '--json', '--stdio'])
})

test.each(['', ' ', '"open'])('a way that is none: %j', (AMUX_REMOTE_COMMAND) => {
  expect(() => build({ AMUX_REMOTE_COMMAND })).toThrow(ValidationError)
})

test('the first line has what the other side needs, and only that', () => {
  const { type, options, answers } = request({
    ...{ agent: 'agent-mux-remote', model: 'm', cwd: '/here', runId: 'r', profile: 'p', retryPolicy: {} },
    ...{ timeout: 1000, approvalMode: 'deny', endpoint: { baseUrl: 'http://x', apiKey: 'k' }, gracePeriodMs: 1000 },
    env: { AMUX_REMOTE_AGENT: 'codex', AMUX_REMOTE_CWD: '/there', AMUX_REMOTE_COMMAND: 'x', TOKEN: 't' },
    onApprovalRequest: () => 'approve',
  })
  expect({ type, answers }).toEqual({ type: 'run', answers: false })
  expect(options).toEqual({
    ...{ prompt: 'x', agent: 'codex', model: 'm', cwd: '/there', env: { TOKEN: 't' }, gracePeriodMs: 600 },
    ...{ timeout: 1000, approvalMode: 'deny', endpoint: { baseUrl: 'http://x', apiKey: 'k' } },
  })
})

test('claude, where no agent is named; questions, where somebody answers', () => {
  expect(request({}).options).toMatchObject({ agent: 'claude', env: {} })
  expect(request({ onInputRequired: () => '' }).answers).toBe(true)
  expect(request({ keepOpen: true }).answers).toBe(true)
})
