// The two sample adapters of the specification (section 8.1), unchanged but for the package they import from and for
// what stands there as `/* ... */`, which is filled in just enough to be valid.
import { writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type {
  AgentAdapter,
  AgentCapabilities,
  AgentConfig,
  AgentConfigSchema,
  AgentEvent,
  AgentName,
  AuthSetupGuidance,
  AuthState,
  ParseContext,
  RunOptions,
  Session,
  SpawnArgs,
} from '../src/index.ts'
import { BaseAgentAdapter, createClient } from '../src/index.ts'
import { capabilities, model } from './support/adapters.ts'
import { collect, temporaryDirectory } from './support/client.ts'

const schema = { fields: [], configFilePaths: [], projectConfigFilePaths: [], configFormat: 'json' as const }

// Option A: Extend BaseAgentAdapter for utilities and hooks
class MyAgentAdapter extends BaseAgentAdapter {
  readonly agent = 'my-agent' as AgentName
  readonly displayName = 'My Agent'
  readonly cliCommand = 'myagent'
  readonly minVersion = '0.1.0'
  readonly capabilities = { ...capabilities('my-agent') } as AgentCapabilities
  readonly models = [model('my-agent', 'my-model-v1')]
  readonly defaultModelId = 'my-model-v1'
  readonly configSchema = { agent: 'my-agent', ...schema, supportsProjectConfig: false } as AgentConfigSchema

  buildSpawnArgs(options: RunOptions): SpawnArgs {
    return {
      command: this.cliCommand,
      args: ['--prompt', Array.isArray(options.prompt) ? options.prompt.join('\n') : options.prompt],
      env: this.buildEnvFromOptions(options),
      cwd: options.cwd ?? process.cwd(),
      usePty: false,
    }
  }

  parseEvent(line: string, context: ParseContext): AgentEvent | null {
    const json = this.parseJsonLine(line)
    if (!json || typeof json !== 'object') return null
    // Map agent-specific JSON to AgentEvent types...
    if (!('say' in json)) return null
    return {
      type: 'message_stop',
      text: `${json.say}`,
      runId: context.runId,
      agent: context.agent,
      timestamp: Date.now(),
    }
  }

  // ... implement remaining abstract methods
  async detectAuth(): Promise<AuthState> {
    return { agent: this.agent, status: 'authenticated', checkedAt: 0 }
  }
  getAuthGuidance(): AuthSetupGuidance {
    return { agent: this.agent, providerName: 'Me', steps: [], envVars: [], documentationUrls: [] }
  }
  sessionDir(): string {
    return '/tmp/my-sessions'
  }
  async parseSessionFile(filePath: string): Promise<Session> {
    throw new Error(`no session in ${filePath}`)
  }
  async listSessionFiles(): Promise<string[]> {
    return []
  }
  async readConfig(): Promise<AgentConfig> {
    return {}
  }
  async writeConfig(): Promise<void> {}
}

// Option B: Implement AgentAdapter directly (no BaseAgentAdapter utilities)
const bareAdapter: AgentAdapter = {
  agent: 'bare-agent' as AgentName,
  displayName: 'Bare Agent',
  cliCommand: 'bare',
  capabilities: { ...capabilities('bare-agent') } as AgentCapabilities,
  models: [],
  configSchema: { agent: 'bare-agent', ...schema, supportsProjectConfig: false } as AgentConfigSchema,
  buildSpawnArgs: (options) =>
    ({ command: 'bare', args: [`${options.prompt}`], env: {}, cwd: process.cwd(), usePty: false }) as SpawnArgs,
  parseEvent: (line, context) =>
    line === 'nothing'
      ? null
      : { type: 'file_read', path: line, runId: context.runId, agent: context.agent, timestamp: 0 },
  detectAuth: async () => ({ agent: 'bare-agent', status: 'unknown', checkedAt: 0 }) as AuthState,
  getAuthGuidance: () => ({ agent: 'bare-agent', steps: [] }) as unknown as AuthSetupGuidance,
  sessionDir: () => '/tmp/bare-sessions',
  parseSessionFile: async () => ({ sessionId: 's' }) as Session,
  listSessionFiles: async () => [],
  readConfig: async () => ({}) as AgentConfig,
  writeConfig: async () => {},
}

function sampleClient() {
  const directory = temporaryDirectory()
  writeFileSync(join(directory, 'myagent'), `#!/bin/sh\necho banner\nprintf '{"say":"%s"}\\n' "$2"\n`, { mode: 0o755 })
  writeFileSync(join(directory, 'bare'), '#!/bin/sh\necho "$1"\necho nothing\n', { mode: 0o755 })
  vi.stubEnv('PATH', `${directory}${delimiter}${process.env.PATH}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  // Register with the client
  const mux = createClient({ configDir: directory, projectConfigDir: directory })
  mux.adapters.register(new MyAgentAdapter())
  mux.adapters.register(bareAdapter)
  return mux
}

test('the class runs like any built-in agent', async () => {
  const mux = sampleClient()
  const handle = mux.run({ agent: 'my-agent', prompt: 'Hello' })
  const { events, result } = await collect(handle)
  expect(events.map((event) => event.type)).toEqual([
    ...['session_start', 'turn_start', 'message_start', 'message_stop', 'turn_end', 'session_end'],
  ])
  expect(result).toMatchObject({ text: 'Hello', outcome: { kind: 'completed' }, unrecognized: { line: 1 } })
  expect(await mux.adapters.detect('my-agent')).toMatchObject({ installed: true, activeModel: 'my-model-v1' })
})

test('the bare object does, too', async () => {
  const mux = sampleClient()
  const { events, result } = await collect(mux.run({ agent: 'bare-agent', prompt: 'Hello' }))
  expect(events.find((event) => event.type === 'file_read')).toMatchObject({ path: 'Hello', agent: 'bare-agent' })
  expect(result.outcome.kind).toBe('completed')
})

test('the default hooks of the class', async () => {
  const adapter = new MyAgentAdapter()
  expect(adapter.onSpawnError(new Error('ENOENT'))).toMatchObject({ type: 'crash', exitCode: -1, stderr: 'ENOENT' })
  expect(adapter.onTimeout()).toMatchObject({ type: 'error', code: 'TIMEOUT', recoverable: false })
  expect(adapter.onProcessExit(0, null)).toEqual([])
  expect(adapter.onProcessExit(2, null)).toMatchObject([{ type: 'crash', exitCode: 2 }])
  expect(adapter.onProcessExit(-1, 'SIGKILL')).toMatchObject([{ type: 'error', code: 'AGENT_CRASH' }])
  const crash = adapter.onSpawnError(new Error('x'))
  expect(adapter.shouldRetry(crash, 0, { maxRetries: 1, retryOn: ['AGENT_CRASH'] })).toBe(true)
  expect(adapter.shouldRetry(crash, 1, { maxRetries: 1, retryOn: ['AGENT_CRASH'] })).toBe(false)
})

test('a class adapter that exits with a code, or by a signal, tells it once', async () => {
  class Exits extends MyAgentAdapter {
    override buildSpawnArgs(options: RunOptions): SpawnArgs {
      return { command: 'sh', args: ['-c', `${options.prompt}`], env: {}, cwd: process.cwd(), usePty: false }
    }
  }
  const mux = sampleClient()
  mux.adapters.register(new Exits())
  const run = (prompt: string) => collect(mux.run({ agent: 'my-agent', prompt }))
  const code = await run('echo broken >&2; exit 4')
  expect(code.events.filter((event) => event.type === 'crash')).toMatchObject([{ exitCode: 4, stderr: 'broken\n' }])
  expect(code.result).toMatchObject({ exitCode: 4, exitReason: 'crashed', outcome: { kind: 'crashed' } })
  const signal = await run('kill -9 $$')
  expect(signal.events.filter((event) => event.type === 'error')).toMatchObject([{ code: 'AGENT_CRASH' }])
  expect(signal.result).toMatchObject({ signal: 'SIGKILL', exitReason: 'killed', outcome: { kind: 'crashed' } })
  // What the interrupt itself has ended did not crash.
  const script = 'console.log(JSON.stringify({ say: 1 })); setInterval(() => {}, 1000)'
  const handle = mux.run({ agent: 'my-agent', prompt: `exec node -e '${script}'` })
  handle.once('message_stop', () => void handle.interrupt())
  expect(await handle).toMatchObject({ exitReason: 'interrupted', outcome: { kind: 'cancelled' } })
})
