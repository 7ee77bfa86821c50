import type { AgentName } from './names.ts'
import type { ApprovalMode, McpServerConfig } from './run-options.ts'

/** The agent's own settings, read from its files. */
export interface AgentConfig {
  agent?: AgentName
  source?: 'global' | 'project' | 'merged'
  filePaths?: string[]
  model?: string
  provider?: string
  temperature?: number
  maxTokens?: number
  allowedCommands?: string[]
  deniedCommands?: string[]
  approvalMode?: ApprovalMode
  mcpServers?: McpServerConfig[]
  skills?: string[]
  agentsDoc?: string
  env?: Record<string, string>
  /** Everything else in the agent's own files, as it is there. */
  native?: Record<string, unknown>
}

/** One setting of an agent. */
export interface ConfigField {
  path: string
  label: string
  description: string
  type: 'string' | 'number' | 'boolean' | 'enum' | 'string[]' | 'object' | 'McpServerConfig[]'
  required: boolean
  defaultValue?: unknown
  enumValues?: string[]
  min?: number
  max?: number
  pattern?: string
  /** True when `path` is a field of `AgentConfig` rather than one of the agent's own. */
  normalized: boolean
  nativeKeyPath: string
  scope: 'global' | 'project' | 'both'
}

/** Which settings an agent has, and where they are stored. */
export interface AgentConfigSchema {
  agent: AgentName
  fields: ConfigField[]
  /** Below the home directory, written with `~`. */
  configFilePaths: string[]
  /** Relative to the project. */
  projectConfigFilePaths: string[]
  configFormat: 'json' | 'json5' | 'yaml' | 'toml'
  supportsProjectConfig: boolean
}
