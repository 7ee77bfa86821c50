import type { AgentName } from './names.ts'
import type { ThinkingEffort } from './run-options.ts'

/** A model: its limits, prices and abilities. */
export interface ModelCapabilities {
  agent: AgentName
  modelId: string
  modelAlias?: string
  displayName: string
  deprecated: boolean
  deprecatedSince?: string
  successorModelId?: string
  /** 0 where it is not known, as for a model that only the CLI reports. */
  contextWindow: number
  maxOutputTokens: number
  maxThinkingTokens?: number
  inputPricePerMillion?: number
  outputPricePerMillion?: number
  thinkingPricePerMillion?: number
  cachedInputPricePerMillion?: number
  supportsThinking: boolean
  supportsToolCalling: boolean
  supportsParallelToolCalls: boolean
  supportsToolCallStreaming: boolean
  supportsJsonMode: boolean
  supportsStructuredOutput: boolean
  supportsTextStreaming: boolean
  supportsThinkingStreaming: boolean
  supportsImageInput: boolean
  supportsImageOutput: boolean
  supportsFileInput: boolean
  thinkingEffortLevels?: ThinkingEffort[]
  thinkingBudgetRange?: [number, number]
  provider?: string
  providerModelId?: string
  protocol?: 'chat' | 'responses' | 'messages' | 'custom'
  deployment?: 'hosted' | 'local' | 'gateway' | 'hybrid'
  supportsLocalModels?: boolean
  cliArgKey: string
  cliArgValue: string
  lastUpdated: string
  source: 'bundled' | 'remote'
}

/** What a CLI reports about one of its models. */
export type DiscoveredModel = Pick<ModelCapabilities, 'modelId'> & Partial<ModelCapabilities>
