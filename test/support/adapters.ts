import { fileURLToPath } from 'node:url'
import type { AgentAdapter } from '../../src/contract/adapter.ts'
import type { AgentCapabilities } from '../../src/contract/capabilities.ts'
import type { AgentEvent } from '../../src/contract/events.ts'
import type { ModelCapabilities } from '../../src/contract/models.ts'
import type { SpawnArgs } from '../../src/contract/spawn.ts'

export function program(name: string): string {
  return fileURLToPath(new URL(`../programs/${name}.mjs`, import.meta.url))
}

export function capabilities(agent: string, overrides: Partial<AgentCapabilities> = {}): AgentCapabilities {
  return {
    agent,
    canResume: true,
    canFork: false,
    supportsMultiTurn: true,
    sessionPersistence: 'none',
    supportsTextStreaming: true,
    supportsToolCallStreaming: false,
    supportsThinkingStreaming: false,
    supportsNativeTools: true,
    supportsMCP: false,
    supportsParallelToolCalls: false,
    requiresToolApproval: false,
    approvalModes: ['prompt', 'yolo', 'deny'],
    supportsThinking: false,
    thinkingEffortLevels: [],
    supportsThinkingBudgetTokens: false,
    supportsJsonMode: false,
    supportsStructuredOutput: false,
    supportsSkills: false,
    supportsAgentsMd: false,
    skillsFormat: null,
    supportsSubagentDispatch: false,
    supportsParallelExecution: false,
    supportsInteractiveMode: true,
    supportsStdinInjection: true,
    supportsImageInput: false,
    supportsImageOutput: false,
    supportsFileAttachments: false,
    supportsPlugins: false,
    pluginFormats: [],
    pluginRegistries: [],
    supportedPlatforms: ['linux', 'darwin', 'win32'],
    requiresGitRepo: false,
    requiresPty: false,
    authMethods: [],
    authFiles: [],
    installMethods: [],
    ...overrides,
  }
}

export function model(agent: string, modelId: string, overrides: Partial<ModelCapabilities> = {}): ModelCapabilities {
  return {
    ...{ agent, modelId, displayName: modelId, deprecated: false, contextWindow: 1, maxOutputTokens: 1 },
    ...{ supportsThinking: false, supportsToolCalling: true, supportsParallelToolCalls: false },
    ...{ supportsToolCallStreaming: false, supportsJsonMode: false, supportsStructuredOutput: false },
    ...{ supportsTextStreaming: true, supportsThinkingStreaming: false, supportsImageInput: false },
    ...{ supportsImageOutput: false, supportsFileInput: false, cliArgKey: '', cliArgValue: '', lastUpdated: '' },
    source: 'bundled',
    ...overrides,
  }
}

/** The documented minimum, as a bare object: each line that is a JSON object is an event. */
export function bareAdapter(
  agent: string,
  spawn: Partial<SpawnArgs> = {},
  overrides: Partial<AgentAdapter> = {},
): AgentAdapter {
  return {
    agent,
    displayName: agent,
    cliCommand: agent,
    capabilities: capabilities(agent),
    models: [],
    configSchema: {
      agent,
      fields: [],
      configFilePaths: [],
      projectConfigFilePaths: [],
      configFormat: 'json',
      supportsProjectConfig: false,
    },
    buildSpawnArgs: ({ cwd = process.cwd() }) => ({
      command: process.execPath,
      args: [],
      env: {},
      cwd,
      usePty: false,
      ...spawn,
    }),
    parseEvent(line) {
      if (!line.startsWith('{')) return null
      const event: AgentEvent = JSON.parse(line)
      return event
    },
    detectAuth: async () => ({ agent, status: 'authenticated', checkedAt: 0 }),
    getAuthGuidance: () => ({ agent, providerName: agent, steps: [], envVars: [], documentationUrls: [] }),
    sessionDir: () => '/nowhere',
    parseSessionFile: async () => {
      throw new Error('no sessions')
    },
    listSessionFiles: async () => [],
    readConfig: async () => ({}),
    writeConfig: async () => {},
    ...overrides,
  }
}
