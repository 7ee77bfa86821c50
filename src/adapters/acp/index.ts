import { join } from 'node:path'
import type { AdapterManifest } from '../../contract/manifest.ts'
import type { AdapterHost } from '../base.ts'
import { type AdapterParts, BuiltInAdapter, type SessionStore } from '../built-in.ts'
import { acpSpawnArgs } from './args.ts'
import { acpDialogue } from './dialogue.ts'
import type { AcpProfile } from './profile.ts'

/** For agents whose store is not known: they list and open their sessions themselves, by the protocol. */
const noSessions: SessionStore = {
  // Nothing is ever there.
  directory: ({ homeDir }) => join(homeDir, '.agent-mux', 'acp-sessions'),
  isSession: () => false,
  read: async (_lines, filePath) => {
    throw new Error(`${filePath}: the sessions of this agent cannot be read`)
  },
}

/** The parts of an adapter whose agent speaks ACP; what the agent has besides goes into `parts`. */
export function acpParts(
  manifest: AdapterManifest,
  profile: AcpProfile,
  parts: Partial<AdapterParts> = {},
): AdapterParts {
  return {
    manifest,
    buildSpawnArgs: acpSpawnArgs(manifest, profile),
    createDialogue: acpDialogue(manifest.agent, profile),
    sessions: noSessions,
    ...parts,
  }
}

/** An adapter is a manifest and this line: `export const FooAdapter = acpAdapter(manifest, { args: ['acp'] })`. */
export function acpAdapter(
  manifest: AdapterManifest,
  profile: AcpProfile,
  parts: Partial<AdapterParts> = {},
): new (
  host?: Partial<AdapterHost>,
) => BuiltInAdapter {
  return class AcpAdapter extends BuiltInAdapter {
    constructor(host: Partial<AdapterHost> = {}) {
      super(acpParts(manifest, profile, parts), host)
    }
  }
}
