import type { AgentCapabilities } from '../../../contract/capabilities.ts'
import { EVERY_APPROVAL_MODE, type ModelFacts, UP_TO_MAX } from '../../kit/define-manifest.ts'
import { MORE_PROVIDER_KEYS, providerKeys } from '../../kit/provider-keys.ts'

/** The name at the provider, which is what another endpoint goes by. */
export function plainModel(modelId: string): string {
  return modelId.slice(modelId.indexOf('/') + 1)
}

/** `provider/id`, as the CLIs take it. */
const model = (modelId: string, displayName: string, contextWindow: number, maxOutputTokens: number): ModelFacts => ({
  modelId,
  displayName,
  contextWindow,
  maxOutputTokens,
  supportsToolCallStreaming: true,
  supportsJsonMode: true,
  thinkingEffortLevels: UP_TO_MAX,
  provider: modelId.slice(0, modelId.indexOf('/')),
  providerModelId: plainModel(modelId),
})

/** A few of the hundreds that `pi --list-models` 1.5.0 and `omp models` 18.2.3 show; prices are theirs. */
export const MODELS: readonly ModelFacts[] = [
  model('anthropic/claude-opus-4-8', 'Claude Opus 4.8', 1_000_000, 128_000),
  model('anthropic/claude-opus-5-5', 'Claude Opus 5.5', 1_000_000, 128_000),
  model('anthropic/claude-sonnet-5-5', 'Claude Sonnet 5.5', 1_000_000, 128_000),
  model('anthropic/claude-haiku-5-5', 'Claude Haiku 5.5', 1_000_000, 128_000),
  model('openai/gpt-5.5', 'GPT-5.5', 272_000, 128_000),
  model('openai/gpt-5.6-luna', 'GPT-5.6 Luna', 272_000, 128_000),
  model('google/gemini-3.1-pro-preview', 'Gemini 3.1 Pro', 1_048_576, 65_536),
]

/** What Pi and its kin have in common. */
export const CAPABILITIES: Partial<AgentCapabilities> = {
  canFork: true,
  sessionPersistence: 'file',
  supportsEphemeral: true,
  supportsToolCallStreaming: true,
  requiresToolApproval: false,
  approvalModes: EVERY_APPROVAL_MODE,
  supportsToolLists: true,
  thinkingEffortLevels: UP_TO_MAX,
  systemPromptModes: ['append', 'replace'],
  supportsJsonMode: true,
  supportsSteer: true,
  supportsSetModel: true,
  endpointProtocols: ['openai-chat', 'openai-responses', 'anthropic', 'gemini'],
  pluginFormats: ['npm-package', 'extension-ts', 'skill-directory'],
  supportsModelDiscovery: true,
  reportsCost: true,
  authMethods: ['oauth'],
}

/** Keys of the providers that most users have. */
export const PROVIDER_ENV = [
  'PI_CODING_AGENT_DIR',
  'PI_OFFLINE',
  'ANTHROPIC_*',
  'OPENAI_*',
  'AZURE_OPENAI_*',
  'GEMINI_API_KEY',
  'OPENROUTER_API_KEY',
  'GROQ_API_KEY',
  'XAI_API_KEY',
  'DEEPSEEK_API_KEY',
  'MISTRAL_API_KEY',
  'AI_GATEWAY_API_KEY',
  'AWS_*',
]

/** As `getApiKeyEnvVars` of Pi 1.5.0 has them; omp began as Pi. */
export const OTHER_KEYS = [
  ...MORE_PROVIDER_KEYS,
  'ANTHROPIC_OAUTH_TOKEN',
  'COPILOT_GITHUB_TOKEN',
  'AZURE_OPENAI_API_KEY',
  'AI_GATEWAY_API_KEY',
  'CEREBRAS_API_KEY',
  'ZAI_API_KEY',
  'MINIMAX_API_KEY',
  'MOONSHOT_API_KEY',
  'KIMI_API_KEY',
  'HF_TOKEN',
  'FIREWORKS_API_KEY',
  'TOGETHER_API_KEY',
  'NVIDIA_API_KEY',
  'OPENCODE_API_KEY',
  'AWS_BEARER_TOKEN_BEDROCK',
]

export const PROVIDER_KEYS = providerKeys('ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY')
