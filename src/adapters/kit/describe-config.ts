import type { AgentConfigSchema, ConfigField } from '../../contract/config.ts'
import type { AgentName } from '../../contract/names.ts'

type NormalizedName = 'model' | 'provider' | 'allowedCommands' | 'deniedCommands' | 'mcpServers' | 'env'

/** What has to be said of a setting; one that `AgentConfig` has for all agents needs no more than its name. */
export type FieldFacts = (Pick<ConfigField, 'path' | 'label' | 'description'> | { path: NormalizedName }) &
  Partial<ConfigField>

export type ConfigFacts = Pick<AgentConfigSchema, 'configFilePaths' | 'configFormat'> & {
  projectConfigFilePaths?: string[]
  fields?: readonly FieldFacts[]
}

type FieldWords = Pick<ConfigField, 'label' | 'description' | 'type'>

/** Whose names `AgentConfig` has for all agents, and what they mean in most. */
const NORMALIZED: Readonly<Record<NormalizedName, FieldWords>> = {
  model: { label: 'Model', description: 'Id of the model that new sessions use.', type: 'string' },
  provider: { label: 'Provider', description: 'Where the model is.', type: 'string' },
  allowedCommands: {
    label: 'Allow rules',
    description: 'Tools that need no approval, such as Bash(git status *).',
    type: 'string[]',
  },
  deniedCommands: { label: 'Deny rules', description: 'Tools that are never allowed.', type: 'string[]' },
  mcpServers: { label: 'MCP servers', description: 'Servers that every session starts.', type: 'McpServerConfig[]' },
  env: { label: 'Environment', description: 'Variables set for every session and its tools.', type: 'object' },
}

/** The facts name any other. */
const UNKNOWN: FieldWords = { label: '', description: '', type: 'string' }

function isNormalized(path: string): path is NormalizedName {
  return Object.hasOwn(NORMALIZED, path)
}

/** A setting that may be left out and has the same name in the agent's file, unless the facts say otherwise. */
function describeField(facts: FieldFacts, scope: ConfigField['scope']): ConfigField {
  const { path, enumValues } = facts
  return {
    ...(isNormalized(path) ? NORMALIZED[path] : UNKNOWN),
    required: false,
    normalized: isNormalized(path),
    nativeKeyPath: path,
    scope,
    ...(enumValues && { type: 'enum' }),
    ...facts,
  }
}

export function describeConfig(agent: AgentName, facts: ConfigFacts): AgentConfigSchema {
  const { configFilePaths, configFormat, projectConfigFilePaths = [], fields = [] } = facts
  const supportsProjectConfig = projectConfigFilePaths.length > 0
  const scope = supportsProjectConfig ? 'both' : 'global'
  return {
    agent,
    configFilePaths,
    projectConfigFilePaths,
    configFormat,
    supportsProjectConfig,
    fields: fields.map((field) => describeField(field, scope)),
  }
}
