import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { AgentEvent } from '../src/contract/events.ts'
import type { Policy, PolicyRule } from '../src/contract/policy.ts'
import type { RunHandle } from '../src/contract/run-handle.ts'
import { first, only, run } from './support/acp-run.ts'
import { temporaryDirectory } from './support/client.ts'
import { leftOvers } from './support/processes.ts'

describe('credentials', () => {
  const authMethods = [
    { id: 'browser', name: 'Log in', description: 'opens a page' },
    { id: 'env-key', name: 'Key' },
  ]

  test('without a method that needs nobody: auth_required, with what the agent offers', async () => {
    const finished = await run({ settings: { needsAuth: true, authMethods }, acp: { guidance: 'Run x login.' } })
    expect(finished.result.outcome.kind).toBe('auth_required')
    expect(first(finished, 'auth_error')?.guidance).toBe('Run x login. The agent offers: Log in (opens a page); Key.')
  })

  test('a method that the profile names is tried', async () => {
    const { result } = await run({ settings: { needsAuth: true, authMethods }, acp: { authMethods: ['env-key'] } })
    expect(result.outcome.kind).toBe('completed')
  })
})

describe('permissions', () => {
  const answering = (act: (handle: RunHandle) => unknown) => (event: AgentEvent, handle: RunHandle) => {
    if (event.type === 'approval_request') act(handle)
  }

  test.each([
    ['approved', 'selected yes', (handle: RunHandle) => handle.approve()],
    ['approved for good', 'selected ever', (handle: RunHandle) => handle.approve('always')],
    ['approved by the name of an option', 'selected ever', (handle: RunHandle) => handle.approve('Always')],
  ])('%s', async (_, words, act) => {
    const finished = await run({ prompt: 'permission', during: answering(act) })
    expect(finished.result.outcome.kind).toBe('completed')
    expect(finished.result.text).toBe(`outcome ${words}`)
    expect(first(finished, 'approval_request')).toMatchObject({ detail: 'rm x', toolCallId: 'c1', riskLevel: 'high' })
    expect(first(finished, 'shell_exit')).toMatchObject({ exitCode: 0, toolCallId: 'c1' })
    expect(first(finished, 'tool_result')?.output).toBe('gone\n')
  })

  test('denied', async () => {
    const finished = await run({ prompt: 'permission', during: answering((handle) => handle.deny('not today')) })
    expect(finished.result.outcome.kind).toBe('permission_blocked')
    expect(finished.result.text).toBe('outcome selected no')
    expect(only(finished, 'tool_error')).toMatchObject([{ error: 'not today' }])
  })

  test.each([{ nonInteractive: true }, { approvalMode: 'deny' as const }])('denied at once: %j', async (options) => {
    const finished = await run({ prompt: 'permission', ...options })
    expect(finished.result.outcome.kind).toBe('permission_blocked')
    expect(first(finished, 'approval_denied')).toBeDefined()
  })

  test.each([true, false])('yolo asks nobody (one-shot: %s)', async (nonInteractive) => {
    const finished = await run({ prompt: 'permission', approvalMode: 'yolo', nonInteractive })
    expect(finished.result.text).toBe('outcome selected yes')
    expect(only(finished, 'approval_request')).toEqual([])
  })

  describe('a policy', () => {
    const policyOf = (...rules: PolicyRule[]): Policy => ({ version: 1, rules })

    test('allows, with the reason of its rule', async () => {
      const policy = policyOf({ allow: { command: 'rm x' }, reason: 'x is ours' })
      const finished = await run({ prompt: 'permission', policy, nonInteractive: true })
      expect(finished.result.outcome.kind).toBe('completed')
      expect(finished.result.text).toBe('outcome selected yes')
      expect(first(finished, 'approval_request')).toMatchObject({ kind: 'execute', command: 'rm x', paths: [] })
      expect(first(finished, 'approval_granted')).toMatchObject({ by: 'policy', reason: 'x is ours' })
    })

    test('denies, and tells the agent why', async () => {
      const policy = policyOf({ allow: {} }, { deny: { command: 'rm *' }, reason: 'never' })
      const onApprovalRequest = vi.fn(() => 'approve' as const)
      const finished = await run({ prompt: 'permission', policy, onApprovalRequest })
      expect(finished.result.outcome).toMatchObject({ kind: 'permission_blocked' })
      expect(first(finished, 'approval_denied')).toMatchObject({ by: 'policy', reason: 'never' })
      expect(only(finished, 'tool_error')).toMatchObject([{ error: 'never' }])
      expect(onApprovalRequest).not.toHaveBeenCalled()
    })

    test('asks: the callback, the caller, or nobody, which is no', async () => {
      const policy = policyOf({ allow: { command: 'git status*' } })
      const called = await run({ prompt: 'permission', policy, onApprovalRequest: () => 'approve' })
      expect(first(called, 'approval_granted')).not.toHaveProperty('by')
      const asked = await run({ prompt: 'permission', policy, during: answering((handle) => handle.approve()) })
      expect(asked.result.outcome.kind).toBe('completed')
      const alone = await run({ prompt: 'permission', policy, nonInteractive: true })
      expect(alone.result.outcome.kind).toBe('permission_blocked')
      expect(first(alone, 'approval_denied')?.reason).toMatch(/^No rule .* Nobody is there to ask\.$/)
      const denied = await run({ prompt: 'permission', policy: policyOf({ allow: {} }), approvalMode: 'deny' })
      expect(denied.result.outcome.kind).toBe('permission_blocked')
    })

    test('is refused where the agent would not ask', async () => {
      const policy = policyOf()
      await expect(run({ policy, approvalMode: 'yolo' })).rejects.toThrow('approvalMode "yolo"')
      await expect(run({ policy, approvalMode: 'accept-edits' })).rejects.toThrow('approvalMode "accept-edits"')
      await expect(run({ policy, allowedTools: ['a'] })).rejects.toThrow('allowedTools')
      await expect(run({ policy: 'policy.json' })).rejects.toThrow('an absolute path')
      await expect(run({ policy: join(process.cwd(), 'nowhere.json') })).rejects.toThrow('Cannot read the policy')
    })
  })

  test('accept-edits allows edits, and only those', async () => {
    const edit = await run({ prompt: 'edit', approvalMode: 'accept-edits', nonInteractive: true })
    expect(edit.result.text).toBe('outcome yes')
    expect(first(edit, 'file_patch')).toMatchObject({ path: '/w/a.txt', diff: '@@ -2,1 +2,1 @@\n-two\n+TWO\n' })
    const shell = await run({ prompt: 'permission', approvalMode: 'accept-edits', nonInteractive: true })
    expect(shell.result.outcome.kind).toBe('permission_blocked')
  })

  test('a form', async () => {
    const finished = await run({ prompt: 'form', onInputRequired: () => 'Blue' })
    expect(first(finished, 'input_required')).toMatchObject({ question: 'Which colour?', options: ['Red', 'Blue'] })
    expect(finished.result.text).toBe('accept Blue')
    const alone = await run({ prompt: 'form', nonInteractive: true })
    expect(alone.result.text).toBe('decline ')
  })
})

describe('files and terminals of ours', () => {
  test('reads inside the workspace, and nothing outside', async () => {
    const workspace = temporaryDirectory()
    const cwd = join(workspace, 'project')
    mkdirSync(cwd)
    writeFileSync(join(cwd, 'a.txt'), 'words')
    writeFileSync(join(workspace, 'secret'), 'secret')
    expect((await run({ prompt: `read ${join(cwd, 'a.txt')}`, cwd })).result.text).toBe('words')
    expect((await run({ prompt: `read ${join(cwd, 'none')}`, cwd })).result.text).toContain('error -32002')
    const outside = await run({ prompt: `read ${join(workspace, 'secret')}`, cwd })
    expect(outside.result.text).toContain('outside the workspace')
  })

  test('writes what the agent asked for before', async () => {
    const cwd = temporaryDirectory()
    const path = join(cwd, 'new.txt')
    const during = (event: AgentEvent, handle: RunHandle) => {
      if (event.type === 'approval_request') void handle.approve()
    }
    const finished = await run({ prompt: `write-allowed ${path}`, cwd, during })
    expect(only(finished, 'approval_request')).toHaveLength(1)
    expect(readFileSync(path, 'utf8')).toBe('from the agent\n')
    expect(first(finished, 'file_create')).toMatchObject({ path, byteCount: 15 })
  })

  test('asks itself when the agent did not', async () => {
    const cwd = temporaryDirectory()
    const path = join(cwd, 'new.txt')
    const denied = await run({
      ...{ prompt: `write ${path}`, cwd },
      during: (event, handle) => {
        if (event.type === 'approval_request') void handle.deny('no')
      },
    })
    expect(first(denied, 'approval_request')).toMatchObject({ action: 'edit', detail: path })
    expect([denied.result.text, existsSync(path)]).toEqual(['error -32603: no', false])
    const alone = await run({ prompt: `write ${path}`, cwd, nonInteractive: true })
    expect([alone.result.text, existsSync(path)]).toEqual(['error -32603: Nobody is there to ask.', false])
    const edits = await run({ prompt: `write ${path}`, cwd, nonInteractive: true, approvalMode: 'accept-edits' })
    expect([edits.result.text, existsSync(path)]).toEqual(['written', true])
  })

  test('mode deny writes and runs nothing, whatever the agent says', async () => {
    const cwd = temporaryDirectory()
    const path = join(cwd, 'new.txt')
    await run({ prompt: `write-allowed ${path}`, cwd, approvalMode: 'deny' })
    await run({ prompt: 'terminal-unasked', cwd, approvalMode: 'deny' })
    expect([existsSync(path), existsSync(join(cwd, 'made-without-asking'))]).toEqual([false, false])
  })

  test('a command in a terminal', async () => {
    const finished = await run({ prompt: 'terminal echo out; exit 3', approvalMode: 'yolo' })
    expect(finished.result.text).toBe('exit 3: out\n')
    expect(first(finished, 'shell_stdout_delta')?.delta).toBe('out\n')
    expect(first(finished, 'shell_exit')?.exitCode).toBe(3)
  })

  test('a command that still runs ends with the run', async () => {
    const { result } = await run({ prompt: 'terminal-stays', approvalMode: 'yolo' })
    expect(result.outcome.kind).toBe('completed')
    expect(leftOvers(result.runId, [])).toEqual([])
  })

  test('an unasked command needs somebody to allow it', async () => {
    const { result, cwd } = await run({
      prompt: 'terminal-unasked',
      approvalMode: 'accept-edits',
      nonInteractive: true,
    })
    expect(result.text).toContain('Nobody is there to ask')
    expect(existsSync(join(cwd, 'made-without-asking'))).toBe(false)
  })
})
