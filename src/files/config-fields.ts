import { isDeepStrictEqual } from 'node:util'
import type { AgentConfig, AgentConfigSchema } from '../contract/config.ts'
import type { ApprovalMode } from '../contract/run-options.ts'
import { isRecord, type JsonRecord } from '../core/json.ts'
import { configError } from './config-error.ts'
import { type ConfigEdit, isStringMap, isStrings, mcpServerEdits, readMcpServers } from './mcp-servers.ts'
import { isTable, type KeyPath, valueAt, withoutValue, withValue } from './values.ts'

const APPROVAL_MODES: readonly ApprovalMode[] = ['prompt', 'accept-edits', 'yolo', 'deny']

/** The agent's settings in our words; what has no word of ours, or not the type we expect, stays in `native`. */
export function mapSettings(schema: AgentConfigSchema, settings: JsonRecord): AgentConfig {
  const config: AgentConfig = {}
  let native = settings
  for (const field of schema.fields.filter(({ normalized }) => normalized)) {
    const keyPath = field.nativeKeyPath.split('.')
    const value = valueAt(settings, keyPath)
    if (field.path === 'mcpServers' && isRecord(value)) {
      const { servers, rest } = readMcpServers(value)
      config.mcpServers = servers
      native = Object.keys(rest).length > 0 ? withValue(native, keyPath, rest) : withoutValue(native, keyPath)
    } else if (assignField(config, field.path, value)) {
      native = withoutValue(native, keyPath)
    }
  }
  return { ...config, native }
}

function assignField(config: AgentConfig, name: string, value: unknown): boolean {
  switch (name) {
    case 'model':
    case 'provider':
    case 'agentsDoc':
      if (typeof value !== 'string') return false
      config[name] = value
      return true
    case 'temperature':
    case 'maxTokens':
      if (typeof value !== 'number') return false
      config[name] = value
      return true
    case 'allowedCommands':
    case 'deniedCommands':
    case 'skills':
      if (!isStrings(value)) return false
      config[name] = value
      return true
    case 'env':
      if (!isStringMap(value)) return false
      config.env = value
      return true
    case 'approvalMode':
      config.approvalMode = APPROVAL_MODES.find((mode) => mode === value)
      return config.approvalMode !== undefined
    default:
      return false
  }
}

/** What `config` asks to change, without agent, source and paths, which describe where it came from. */
export function mentionedSettings({
  agent,
  source,
  filePaths,
  ...settings
}: Partial<AgentConfig>): [string, unknown][] {
  return Object.entries(settings).filter(([, value]) => value !== undefined)
}

/** The smallest set of changes that makes `settings` say what `config` mentions. */
export function plannedEdits(
  schema: AgentConfigSchema,
  config: Partial<AgentConfig>,
  settings: JsonRecord,
): ConfigEdit[] {
  // The agent's own keys first: a config that was read, changed and written back still holds those of a removed server.
  const own = mergeEdits([], config.native, settings)
  const mapped = mentionedSettings(config).flatMap(([name, value]) => {
    if (name === 'native') return []
    const field = schema.fields.find(({ normalized, path }) => normalized && path === name)
    if (field === undefined) {
      throw configError(`${schema.agent} has no setting for ${name}`, 'Use `native` with a key of the agent itself.')
    }
    const keyPath = field.nativeKeyPath.split('.')
    const current = valueAt(settings, keyPath)
    return name === 'mcpServers' && config.mcpServers
      ? mcpServerEdits(keyPath, current, config.mcpServers)
      : mergeEdits(keyPath, value, current)
  })
  return [...own, ...mapped]
}

function mergeEdits(keyPath: KeyPath, value: unknown, current: unknown): ConfigEdit[] {
  if (value === undefined || isDeepStrictEqual(value, current)) return []
  if (!isTable(value) || !isTable(current)) return [{ keyPath, value }]
  return Object.entries(value).flatMap(([key, item]) =>
    mergeEdits([...keyPath, key], item, Object.hasOwn(current, key) ? current[key] : undefined),
  )
}
