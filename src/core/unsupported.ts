import { CapabilityError } from '../contract/errors.ts'
import type { AgentName } from '../contract/names.ts'
import type { EndpointOverride, RunOptions } from '../contract/run-options.ts'

/** Options that an agent cannot honour, each with what to do instead; empty when there is nothing. */
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

/** For agents whose model traffic has one form only. */
export function requireProtocol(
  agent: AgentName,
  { protocol }: EndpointOverride,
  spoken: NonNullable<EndpointOverride['protocol']>,
): void {
  if (protocol === undefined || protocol === spoken) return
  throw new CapabilityError(agent, `the ${protocol} protocol`, { hint: `The endpoint must speak ${spoken}.` })
}
