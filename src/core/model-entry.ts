import type { ModelCapabilities } from '../contract/models.ts'

/** What a manifest has to say of a model; the rest is the same for most. */
export type ModelFacts = Pick<ModelCapabilities, 'agent' | 'modelId' | 'contextWindow' | 'maxOutputTokens'> &
  Partial<ModelCapabilities>

/** A model of today that thinks, calls tools and streams, unless the facts say otherwise. */
export function modelEntry(facts: ModelFacts): ModelCapabilities {
  const { modelId, supportsThinking = true } = facts
  return {
    displayName: modelId,
    deprecated: false,
    supportsThinking,
    supportsToolCalling: true,
    supportsParallelToolCalls: true,
    supportsToolCallStreaming: false,
    supportsJsonMode: false,
    supportsStructuredOutput: false,
    supportsTextStreaming: true,
    supportsThinkingStreaming: supportsThinking,
    supportsImageInput: true,
    supportsImageOutput: false,
    supportsFileInput: false,
    providerModelId: modelId,
    deployment: 'hosted',
    cliArgKey: '--model',
    cliArgValue: modelId,
    lastUpdated: '2026-11-15',
    source: 'bundled',
    ...facts,
  }
}
