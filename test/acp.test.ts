import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { acpAdapter } from '../src/adapters/families/acp/index.ts'
import type { AcpProfile } from '../src/adapters/families/acp/profile.ts'
import type { AgentEvent, AgentEventType, EventOfType } from '../src/contract/events.ts'
import type { Policy, PolicyRule } from '../src/contract/policy.ts'
import type { RunHandle, RunResult } from '../src/contract/run-handle.ts'
import type { RunOptions } from '../src/contract/run-options.ts'
import { capabilities, program } from './support/adapters.ts'
import { temporaryDirectory, testClient } from './support/client.ts'
import { leftOvers } from './support/processes.ts'

// The counterpart is a real agent on the official SDK, in a process of its own.
const ALL = {
  loadSession: true,
  promptCapabilities: { image: true, embeddedContext: true },
  mcpCapabilities: { http: true, sse: false },
  sessionCapabilities: { resume: {}, fork: {}, additionalDirectories: {} },
}
const OPTIONS = [
  {
    type: 'select',
    id: 'm',
    name: 'M',
    category: 'model',
    currentValue: 'one',
    options: [{ value: 'one', name: '1' }],
  },
  {
    ...{ type: 'select', id: 't', name: 'T', category: 'thought_level', currentValue: 'low' },
    options: [
      {
        group: 'g',
        name: 'G',
        options: [
          { value: 'low', name: 'L' },
          { value: 'high', name: 'H' },
        ],
      },
    ],
  },
]
const MODES = {
  currentModeId: 'default',
  availableModes: [
    { id: 'default', name: 'D' },
    { id: 'plan', name: 'P' },
  ],
}

interface Finished {
  events: AgentEvent[]
  result: RunResult
  cwd: string
}

interface Request extends Partial<RunOptions> {
  settings?: object
  acp?: Partial<AcpProfile>
  during?: (event: AgentEvent, handle: RunHandle) => void
}

async function run({ settings = {}, acp = {}, during = () => {}, ...options }: Request): Promise<Finished> {
  const manifest = {
    agent: 'acp-test',
    displayName: 'ACP test',
    cliCommand: process.execPath,
    verification: 'unverified' as const,
    capabilities: capabilities('acp-test', {
      ...{ canFork: true, supportsMCP: true, supportsThinking: true, thinkingEffortLevels: ['low', 'high', 'max'] },
      ...{ approvalModes: ['prompt', 'accept-edits', 'yolo', 'deny'], supportsImageInput: true },
      supportsFileAttachments: true,
      supportsApprovals: true,
    }),
    models: [],
    configSchema: {
      ...{ agent: 'acp-test', fields: [], configFilePaths: [], projectConfigFilePaths: [] },
      ...{ configFormat: 'json' as const, supportsProjectConfig: false },
    },
    auth: { envVars: [], files: [], providerName: 'nobody', documentationUrls: [] },
  }
  const args = [program('acp-agent'), JSON.stringify({ capabilities: ALL, ...settings })]
  const Adapter = acpAdapter(manifest, { args, ...acp })
  const cwd = temporaryDirectory()
  const handle = testClient([new Adapter()]).run({
    agent: 'acp-test',
    prompt: 'hello',
    cwd,
    timeout: 20_000,
    ...options,
  })
  const events: AgentEvent[] = []
  for await (const event of handle) {
    events.push(event)
    during(event, handle)
  }
  return { events, result: await handle, cwd }
}

function only<Type extends AgentEventType>({ events }: Finished, type: Type): EventOfType<Type>[] {
  return events.filter((event): event is EventOfType<Type> => event.type === type)
}

const first = <Type extends AgentEventType>(finished: Finished, type: Type) => only(finished, type)[0]

describe('turns', () => {
  test('text, usage and cost', async () => {
    const { result, events } = await run({ prompt: ['hello', 'there'] })
    expect(result.outcome).toEqual({ kind: 'completed' })
    expect(result.text).toBe('Hello you said: ')
    expect(result.sessionId).toBe('session-1')
    // The cached tokens are not in its input, which shows in its total.
    expect(result.tokenUsage).toMatchObject({ inputTokens: 20, outputTokens: 5, cacheReadTokens: 10 })
    expect(result.cost).toMatchObject({ totalUsd: 0.75, source: 'agent' })
    expect(events.map(({ type }) => type)).toEqual([
      ...['session_start', 'turn_start', 'message_start', 'text_delta', 'text_delta', 'cost', 'token_usage', 'cost'],
      ...['message_stop', 'turn_end', 'session_end'],
    ])
    expect(result.unrecognized).toEqual({})
  })

  test('thoughts and plans', async () => {
    const finished = await run({ prompt: 'thoughts' })
    expect(first(finished, 'thinking_stop')?.thinking).toBe('step by step')
    expect(first(finished, 'tool_call_ready')).toMatchObject({ toolName: 'update_plan' })
    expect(finished.result.text).toBe('42')
  })

  test('several turns on one process; steering is the next turn', async () => {
    let sent = 0
    const { result } = await run({
      during: (event, handle) => {
        if (event.type !== 'text_delta' || sent++ > 0) return
        void handle.send('hello second')
        void handle.steer('hello third')
      },
    })
    expect(result.turnCount).toBe(3)
    expect(result.text).toBe('Hello you said: third')
    expect(result.tokenUsage?.outputTokens).toBe(15)
  })

  test('a system prompt goes before the first prompt, and that is said', async () => {
    const finished = await run({ prompt: 'blocks', systemPrompt: 'be brief' })
    expect(finished.result.text).toContain('be brief')
    expect(first(finished, 'debug')?.message).toContain('approximated')
  })

  test('attachments', async () => {
    const attachments = [
      { base64: 'aGk=', mimeType: 'image/png' },
      { base64: 'aGk=', mimeType: 'text/plain', name: 'a.txt' },
      { filePath: '/w/b.txt' },
    ]
    const { result } = await run({ prompt: 'blocks', attachments })
    expect(JSON.parse(result.text)).toMatchObject([
      { type: 'image', data: 'aGk=' },
      { type: 'resource', resource: { text: 'hi' } },
      { type: 'resource_link', uri: 'file:///w/b.txt', name: 'b.txt' },
      { type: 'text', text: 'blocks' },
    ])
  })

  test('notices of a vendor are ignored, its requests refused', async () => {
    const { result } = await run({ prompt: 'vendor' })
    expect(result.text).toBe('code -32601')
    expect(result.unrecognized).toEqual({})
  })

  test('what another session says is not ours', async () => {
    expect((await run({ prompt: 'subsession' })).result.text).toBe('mine')
  })
})

describe('sessions', () => {
  test('resume', async () => {
    const finished = await run({ prompt: 'state', sessionId: 'session-1' })
    expect(JSON.parse(finished.result.text).opened).toMatchObject([{ method: 'resume', sessionId: 'session-1' }])
    expect(first(finished, 'session_start')).toMatchObject({ sessionId: 'session-1', resumed: true })
  })

  test.each([false, true])('load: the history is not of this run (told late: %s)', async (late) => {
    const finished = await run({
      sessionId: 'session-1',
      settings: { capabilities: { loadSession: true }, late },
      acp: late ? { replayEndsWith: 'available_commands_update' } : {},
    })
    expect(finished.result.text).toBe('Hello you said: ')
    expect(only(finished, 'tool_call_start')).toEqual([])
    // The session had cost half a dollar before.
    expect(finished.result.cost?.totalUsd).toBe(0.25)
  })

  test('fork', async () => {
    const finished = await run({ forkSessionId: 'origin' })
    expect(first(finished, 'session_fork')).toMatchObject({ sessionId: 'session-1', forkedFrom: 'origin' })
  })

  test('an unknown session', async () => {
    const { result } = await run({ sessionId: 'nope', settings: { capabilities: { loadSession: true } } })
    expect(result.error?.code).toBe('SESSION_NOT_FOUND')
  })

  test('MCP servers and directories go with the session', async () => {
    const extra = temporaryDirectory()
    const { result } = await run({
      prompt: 'state',
      addDirs: [extra],
      mcpServers: [
        { name: 'a', command: 'run', args: ['x'], env: { KEY: 'v' } },
        { name: 'b', transport: 'streamable-http', url: 'http://127.0.0.1:1/', headers: { H: 'v' } },
      ],
    })
    const { mcpServers, additionalDirectories } = JSON.parse(result.text).opened[0]
    expect(mcpServers).toEqual([
      { name: 'a', command: 'run', args: ['x'], env: [{ name: 'KEY', value: 'v' }] },
      { type: 'http', name: 'b', url: 'http://127.0.0.1:1/', headers: [{ name: 'H', value: 'v' }] },
    ])
    expect(additionalDirectories).toEqual([extra])
  })

  const missing: [string, Partial<RunOptions>][] = [
    ['go on with a session', { sessionId: 'x' }],
    ['fork', { forkSessionId: 'x' }],
    ['directories', { addDirs: ['/tmp'] }],
    ['sse', { mcpServers: [{ name: 's', transport: 'sse', url: 'http://127.0.0.1:1/' }] }],
    ['images', { attachments: [{ base64: 'aGk=', mimeType: 'image/png' }] }],
    ['model', { model: 'two' }],
    ['effort', { thinkingEffort: 'max' }],
  ]
  test.each(missing)('what the agent does not offer is a clear failure: %s', async (words, options) => {
    const { result } = await run({ settings: { capabilities: {} }, ...options })
    expect(result.error).toMatchObject({ code: 'CAPABILITY_ERROR' })
    expect(result.outcome.evidence).toContain(words)
  })

  test('model, effort and mode are set before the first turn; a mode that is current is not', async () => {
    const acp = { modes: { deny: 'plan', prompt: 'default' } }
    const settings = { configOptions: OPTIONS, modes: MODES }
    const options = { model: 'two', thinkingEffort: 'high' as const, approvalMode: 'deny' as const }
    const { result } = await run({ prompt: 'state', settings, acp, ...options })
    expect(JSON.parse(result.text).chosen).toEqual({ m: 'two', t: 'high', mode: 'plan' })
    expect(result.model).toBe('two')
    const plain = await run({ prompt: 'state', settings, acp })
    expect(JSON.parse(plain.result.text).chosen).toEqual({})
  })

  test('an unknown model', async () => {
    const { result } = await run({ model: 'no-such-model', settings: { configOptions: OPTIONS } })
    expect(result.error?.code).toBe('MODEL_NOT_FOUND')
  })

  test('the model between two turns', async () => {
    let done = false
    const { result } = await run({
      settings: { configOptions: OPTIONS },
      during: (event, handle) => {
        if (event.type !== 'turn_end' || done) return
        done = true
        void handle.setModel('three').then(() => handle.send('state'))
      },
    })
    expect(JSON.parse(result.text).chosen).toEqual({ m: 'three' })
  })
})

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

describe('interrupt', () => {
  test('while it works, then another turn', async () => {
    let state = 'waiting'
    const { result } = await run({
      prompt: 'slow',
      during: (event, handle) => {
        if (event.type === 'text_delta' && state === 'waiting') {
          state = 'interrupted'
          void handle.interrupt()
        } else if (event.type === 'turn_end' && state === 'interrupted') {
          state = 'sent'
          void handle.send('hello again')
        }
      },
    })
    expect(result.outcome.kind).toBe('completed')
    expect(result.text).toBe('Hello you said: again')
  })

  test('while a permission is open, by an agent that waits for its answer', async () => {
    const { result } = await run({
      prompt: 'slow-permission',
      during: (event, handle) => {
        if (event.type === 'approval_request') void handle.interrupt()
      },
    })
    expect(result.outcome.kind).toBe('cancelled')
  })

  test('before the first prompt is out', async () => {
    const { result } = await run({
      prompt: 'slow',
      during: (event, handle) => {
        if (event.type === 'session_start') void handle.interrupt()
      },
    })
    expect(result.outcome.kind).toBe('cancelled')
  })
})

describe('failures', () => {
  test.each([
    ['error-status 401', 'auth_required'],
    ['error-status 429', 'rate_limited'],
    ['error-status 500', 'failed'],
    ['error-data 403 no right to this', 'auth_required'],
    ['error-data prompt is too long', 'context_exhausted'],
    ['error-data You exceeded your current quota', 'quota_exhausted'],
    ['error-auth', 'auth_required'],
    ['error-text', 'auth_required'],
    ['stop-refusal', 'failed'],
    ['stop-limit', 'turn_limit'],
    ['stop-tokens', 'failed'],
    ['crash', 'crashed'],
  ])('%s is %s', async (prompt, kind) => {
    const { result } = await run({ prompt, acp: { errorText: [/^Error: /] } })
    expect(result.outcome.kind).toBe(kind)
    expect(result.error === null).toBe(kind === 'turn_limit')
  })

  test('words of the provider, not of the protocol', async () => {
    expect((await run({ prompt: 'error-status 500' })).result.error?.message).toBe('status 500')
    expect((await run({ prompt: 'error-data the disk is full' })).result.error?.message).toBe('the disk is full')
  })

  test('an agent that is no ACP agent', async () => {
    const { result } = await run({ acp: { args: ['-e', 'console.log("hello")'] } })
    expect(result.outcome.kind).toBe('protocol_drift')
    expect(result.unrecognized).toEqual({ text: 1 })
  })
})
