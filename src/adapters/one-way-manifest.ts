import type { AgentCapabilities } from '../contract/capabilities.ts'
import type { AdapterManifest } from '../contract/manifest.ts'
import { acpManifest } from './acp/manifest.ts'

/** What an agent cannot do that takes a prompt, prints, and ends. */
const ONE_WAY: Partial<AgentCapabilities> = {
  supportsMultiTurn: false,
  supportsMCP: false,
  supportsApprovals: false,
  requiresToolApproval: false,
  supportsInteractiveMode: false,
  supportsStdinInjection: false,
  supportsInterrupt: false,
  supportsImageInput: false,
  supportsFileAttachments: false,
  structuredSessionTransport: 'restart-per-turn',
}

/** A manifest from what is known of an agent that cannot be talked to while it runs. */
export function oneWayManifest(facts: Parameters<typeof acpManifest>[0]): AdapterManifest {
  return acpManifest({ ...facts, capabilities: { ...ONE_WAY, ...facts.capabilities } })
}
