import { acpAdapter } from '../../src/adapters/families/acp/index.ts'
import type { AcpProfile } from '../../src/adapters/families/acp/profile.ts'
import type { AgentEvent, AgentEventType, EventOfType } from '../../src/contract/events.ts'
import type { RunHandle, RunResult } from '../../src/contract/run-handle.ts'
import type { RunOptions } from '../../src/contract/run-options.ts'
import { capabilities, program } from './adapters.ts'
import { temporaryDirectory, testClient } from './client.ts'

// The counterpart is a real agent on the official SDK, in a process of its own.
export const ALL = {
  loadSession: true,
  promptCapabilities: { image: true, embeddedContext: true },
  mcpCapabilities: { http: true, sse: false },
  sessionCapabilities: { resume: {}, fork: {}, additionalDirectories: {} },
}
export const OPTIONS = [
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
export const MODES = {
  currentModeId: 'default',
  availableModes: [
    { id: 'default', name: 'D' },
    { id: 'plan', name: 'P' },
  ],
}

export interface Finished {
  events: AgentEvent[]
  result: RunResult
  cwd: string
}

export interface Request extends Partial<RunOptions> {
  settings?: object
  acp?: Partial<AcpProfile>
  during?: (event: AgentEvent, handle: RunHandle) => void
}

export async function run({ settings = {}, acp = {}, during = () => {}, ...options }: Request): Promise<Finished> {
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

export function only<Type extends AgentEventType>({ events }: Finished, type: Type): EventOfType<Type>[] {
  return events.filter((event): event is EventOfType<Type> => event.type === type)
}

export const first = <Type extends AgentEventType>(finished: Finished, type: Type) => only(finished, type)[0]
