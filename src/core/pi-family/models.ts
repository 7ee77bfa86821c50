import type { ModelCapabilities } from '../../contract/models.ts'
import type { AgentName } from '../../contract/names.ts'
import type { ThinkingEffort } from '../../contract/run-options.ts'

export const EFFORTS: ThinkingEffort[] = ['low', 'medium', 'high', 'xhigh', 'max']

/** `provider/id`, as the CLIs take it. They know hundreds more; prices and limits are theirs. */
export function model(
  agent: AgentName,
  modelId: string,
  displayName: string,
  contextWindow: number,
  maxOutputTokens: number,
): ModelCapabilities {
  return {
    agent,
    modelId,
    displayName,
    deprecated: false,
    contextWindow,
    maxOutputTokens,
    supportsThinking: true,
    supportsToolCalling: true,
    supportsParallelToolCalls: true,
    supportsToolCallStreaming: true,
    supportsJsonMode: true,
    supportsStructuredOutput: false,
    supportsTextStreaming: true,
    supportsThinkingStreaming: true,
    supportsImageInput: true,
    supportsImageOutput: false,
    supportsFileInput: false,
    thinkingEffortLevels: EFFORTS,
    provider: modelId.slice(0, modelId.indexOf('/')),
    deployment: 'hosted',
    cliArgKey: '--model',
    cliArgValue: modelId,
    lastUpdated: '2026-11-15',
    source: 'bundled',
  }
}

/** The name at the provider, which is what another endpoint goes by. */
export function plainModel(modelId: string): string {
  return modelId.slice(modelId.indexOf('/') + 1)
}
