import type { AdapterManifest } from '../../../contract/manifest.ts'
import type { EndpointOverride, EndpointProtocol, RunOptions } from '../../../contract/run-options.ts'
import { libraryUrl } from '../../../core/endpoint.ts'
import { plainModel } from './manifest.ts'

/** The name under which the run's own provider is known to the CLI. */
export const ENDPOINT_PROVIDER = 'amux'
export const ENDPOINT_KEY = 'AMUX_ENDPOINT_KEY'

const APIS: Record<EndpointProtocol, string> = {
  anthropic: 'anthropic-messages',
  'openai-chat': 'openai-completions',
  'openai-responses': 'openai-responses',
  gemini: 'google-generative-ai',
}

/** The model of a run on an endpoint, by which its provider knows it. */
export function endpointModel({ defaultModelId = '' }: AdapterManifest, { model }: RunOptions): string {
  return `${ENDPOINT_PROVIDER}/${model ?? plainModel(defaultModelId)}`
}

/** The endpoint knows the models of the manifest by their plain names, and the one asked for as it is given. */
export function endpointModels({ models }: AdapterManifest, model?: string): string[] {
  const known = models.map(({ modelId }) => plainModel(modelId))
  return [...new Set(model === undefined ? known : [model, ...known])]
}

/**
 * Statements for an extension of the CLI that add the endpoint as a provider. An extension moves the endpoint and
 * nothing else: sessions, settings and logins stay where they are. The key is read where it is needed, and taken out
 * of what the agent's tools see.
 */
export function endpointStatements(endpoint: EndpointOverride, models: readonly string[]): string {
  const { protocol = 'openai-chat' } = endpoint
  const provider = {
    name: 'agent-mux endpoint',
    baseUrl: libraryUrl(endpoint, protocol),
    api: APIS[protocol],
    models: models.map((id) => ({
      id,
      name: id,
      reasoning: true,
      input: ['text', 'image'],
      // No price is known, so none is claimed.
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      contextWindow: 200_000,
      maxTokens: 32_000,
      compat: { supportsDeveloperRole: false },
    })),
  }
  return `
  const key = (globalThis.amuxEndpointKey ??= process.env.${ENDPOINT_KEY})
  delete process.env.${ENDPOINT_KEY}
  if (!key) throw new Error('No API key for the endpoint')
  // Since 1.0 a dollar sign and a leading exclamation mark mean something.
  const apiKey = pi.registerMcpServer ? key.replace(/\\$/g, '$$$$').replace(/^!/, '$$!') : key
  pi.registerProvider(${JSON.stringify(ENDPOINT_PROVIDER)}, { ...${JSON.stringify(provider)}, apiKey })`
}
