import type { AgentAdapter } from '../contract/adapter.ts'
import { type FieldError, ValidationError } from '../contract/errors.ts'
import { isRecord } from '../core/json.ts'

const STRINGS = ['agent', 'displayName', 'cliCommand'] as const
const METHODS = [
  ...(['buildSpawnArgs', 'parseEvent', 'detectAuth', 'getAuthGuidance', 'sessionDir'] as const),
  ...(['parseSessionFile', 'listSessionFiles', 'readConfig', 'writeConfig'] as const),
]
const PLUGIN_METHODS = ['listPlugins', 'installPlugin', 'uninstallPlugin', 'searchPlugins'] as const
const REQUIRED_FLAGS = [
  ...['canResume', 'canFork', 'supportsMultiTurn', 'supportsTextStreaming', 'supportsToolCallStreaming'],
  ...['supportsThinkingStreaming', 'supportsNativeTools', 'supportsMCP', 'supportsParallelToolCalls'],
  ...['requiresToolApproval', 'supportsThinking', 'supportsThinkingBudgetTokens', 'supportsJsonMode'],
  ...['supportsStructuredOutput', 'supportsSkills', 'supportsAgentsMd', 'supportsSubagentDispatch'],
  ...['supportsParallelExecution', 'supportsInteractiveMode', 'supportsStdinInjection', 'supportsImageInput'],
  ...['supportsImageOutput', 'supportsFileAttachments', 'supportsPlugins', 'requiresGitRepo', 'requiresPty'],
]
const SCHEMA_LISTS = ['fields', 'configFilePaths', 'projectConfigFilePaths'] as const

/** Throws one ValidationError with every fault of the adapter's shape; checks nothing but the shape. */
export function validateAdapter(adapter: AgentAdapter): void {
  if (!isRecord(adapter)) {
    throw new ValidationError([fault('adapter', 'must be an object', adapter, 'an AgentAdapter')], 'Invalid adapter')
  }
  const errors: FieldError[] = []
  for (const name of STRINGS) {
    const value = adapter[name]
    if (typeof value !== 'string' || value.trim() === '')
      errors.push(fault(name, 'must be a non-empty string', value, 'string'))
  }
  errors.push(...checkCapabilities(adapter.capabilities), ...checkSchema(adapter.configSchema))
  if (!Array.isArray(adapter.models)) errors.push(fault('models', 'must be an array', adapter.models, 'array'))
  for (const name of METHODS) errors.push(...checkFunction(name, adapter[name]))
  if (isRecord(adapter.capabilities) && adapter.capabilities.supportsPlugins === true) {
    for (const name of PLUGIN_METHODS) errors.push(...checkFunction(name, adapter[name]))
  }
  if (errors.length > 0) throw new ValidationError(errors, 'Invalid adapter')
}

function fault(field: string, message: string, received: unknown, expected: string): FieldError {
  return { field, message, received, expected }
}

function checkFunction(name: string, value: unknown): FieldError[] {
  return typeof value === 'function' ? [] : [fault(name, 'must be a function', value, 'function')]
}

function checkCapabilities(value: unknown): FieldError[] {
  if (!isRecord(value)) return [fault('capabilities', 'must be an object', value, 'AgentCapabilities')]
  return REQUIRED_FLAGS.filter((flag) => typeof value[flag] !== 'boolean').map((flag) =>
    fault(`capabilities.${flag}`, 'must be a boolean', value[flag], 'boolean'),
  )
}

function checkSchema(value: unknown): FieldError[] {
  if (!isRecord(value)) return [fault('configSchema', 'must be an object', value, 'AgentConfigSchema')]
  const errors = SCHEMA_LISTS.filter((name) => !Array.isArray(value[name])).map((name) =>
    fault(`configSchema.${name}`, 'must be an array', value[name], 'array'),
  )
  if (typeof value.agent !== 'string') {
    errors.unshift(fault('configSchema.agent', 'must be a string', value.agent, 'string'))
  }
  return errors
}
