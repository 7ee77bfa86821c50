import type { AgentCapabilities } from '../contract/capabilities.ts'
import { CapabilityError } from '../contract/errors.ts'
import type { EndpointOverride, EndpointProtocol } from '../contract/run-options.ts'

const VERSIONS: Record<EndpointProtocol, string> = {
  anthropic: '/v1',
  'openai-chat': '/v1',
  'openai-responses': '/v1',
  gemini: '/v1beta',
}

/** An address that names a version anywhere is meant as it is: gateways have paths of their own behind it. */
const NAMES_VERSION = /\/v\d+(?:[a-z]+\d*)?(?:\/|$)/

/** What the endpoint speaks: one of the agent's protocols; without a word it is the first. */
export function protocolOf(capabilities: AgentCapabilities, { protocol }: EndpointOverride): EndpointProtocol {
  const spoken = capabilities.endpointProtocols ?? []
  const known = protocol === undefined ? spoken[0] : spoken.find((one) => one === protocol)
  if (known !== undefined) return known
  const [what, hint] =
    spoken.length === 0
      ? ['another endpoint', "Only the agent's own settings can send it elsewhere."]
      : [`the ${protocol} protocol`, `The endpoint must speak ${spoken.join(' or ')}.`]
  throw new CapabilityError(capabilities.agent ?? '', what, { hint })
}

/** The address for a CLI that wants the version of the API in it. */
export function versionedUrl({ baseUrl }: EndpointOverride, protocol: EndpointProtocol): string {
  const base = baseUrl.replace(/\/+$/, '')
  return NAMES_VERSION.test(base) ? base : base + VERSIONS[protocol]
}

/** The address for a CLI that adds the version by itself. */
export function plainUrl({ baseUrl }: EndpointOverride, protocol: EndpointProtocol): string {
  const base = baseUrl.replace(/\/+$/, '')
  return base.endsWith(VERSIONS[protocol]) ? base.slice(0, -VERSIONS[protocol].length) : base
}

/** The address for a CLI that has the vendors' client libraries: Anthropic's adds the version by itself. */
export function libraryUrl(endpoint: EndpointOverride, protocol: EndpointProtocol): string {
  return protocol === 'anthropic' ? plainUrl(endpoint, protocol) : versionedUrl(endpoint, protocol)
}
