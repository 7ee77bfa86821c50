import { CapabilityError } from '../contract/errors.ts'
import type { AgentName } from '../contract/names.ts'
import type { EndpointOverride, RunOptions } from '../contract/run-options.ts'

/**
 * Options that one form of an agent cannot honour, each with what to do instead; empty when there is nothing. What no
 * form can is said by the capabilities in its manifest, and refused by them.
 */
export type UnsupportedOptions = Partial<Record<keyof RunOptions, string>>

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined
}

export function refuseOptions(agent: AgentName, options: RunOptions, unsupported: UnsupportedOptions): void {
  const given: Readonly<Record<string, unknown>> = { ...options }
  for (const [name, hint] of Object.entries(unsupported)) {
    if (isGiven(given[name])) throw new CapabilityError(agent, name, { hint: hint || undefined })
  }
}

type Protocol = NonNullable<EndpointOverride['protocol']>

/** The protocol of the endpoint, one of those that the agent speaks; without a word it is the first. */
export function requireProtocol<Spoken extends Protocol>(
  agent: AgentName,
  { protocol }: EndpointOverride,
  ...spoken: readonly [Spoken, ...Spoken[]]
): Spoken {
  const known = protocol === undefined ? spoken[0] : spoken.find((one) => one === protocol)
  if (known !== undefined) return known
  const hint = `The endpoint must speak ${spoken.join(' or ')}.`
  throw new CapabilityError(agent, `the ${protocol} protocol`, { hint })
}
