import type { EndpointOverride, EndpointProtocol, ThinkingEffort } from '../../contract/run-options.ts'
import { libraryUrl } from '../../core/endpoint.ts'

const EFFORT_LEVELS: ThinkingEffort[] = ['low', 'medium', 'high', 'xhigh', 'max']

/** What the endpoint of a run is called in the configuration that we write for it. */
export const ENDPOINT_PROVIDER = 'agent-mux'

const DEFAULT_MODEL = 'gpt-6-astra'

const API: Record<EndpointProtocol, string> = {
  anthropic: 'anthropic-messages',
  'openai-chat': 'openai-completions',
  'openai-responses': 'openai-responses',
  gemini: 'google-generative-ai',
}

/** The agent takes a server that it does not know for one whose effort cannot be set. */
const COMPAT: Partial<Record<EndpointProtocol, object>> = {
  'openai-chat': { supportsReasoningEffort: true, supportedReasoningEfforts: EFFORT_LEVELS },
  'openai-responses': { supportsReasoningEffort: true, supportedReasoningEfforts: EFFORT_LEVELS },
}

export function endpointModel(model: string): string {
  return `${ENDPOINT_PROVIDER}/${model}`
}

/** The agent puts variables in the place of these, unless another dollar comes before them. */
const REFERENCE = /\$\{[A-Z_][A-Z0-9_]*\}/g

function literal(text: string): string {
  return text.replace(REFERENCE, (reference) => `$${reference}`)
}

/** A whole configuration: `--config` stands for the user's, which is neither read nor written. */
export function endpointConfig(endpoint: EndpointOverride, model = DEFAULT_MODEL): object {
  const { apiKey, protocol = 'openai-chat' } = endpoint
  const baseUrl = libraryUrl(endpoint, protocol)
  const entry = {
    id: model,
    name: model,
    reasoning: true,
    input: ['text', 'image'],
    contextWindow: 200_000,
    maxTokens: 32_000,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    compat: COMPAT[protocol],
  }
  const provider = { baseUrl, ...(apiKey ? { apiKey: literal(apiKey) } : {}), api: API[protocol], models: [entry] }
  return {
    agents: { defaults: { model: { primary: endpointModel(model) } } },
    models: { mode: 'merge', providers: { [ENDPOINT_PROVIDER]: provider } },
  }
}
