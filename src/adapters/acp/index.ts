import type { AdapterManifest } from '../../contract/manifest.ts'
import type { AdapterHost } from '../base.ts'
import { type AdapterParts, BuiltInAdapter } from '../built-in.ts'
import { noSessions } from '../no-sessions.ts'
import { acpSpawnArgs } from './args.ts'
import { acpDialogue } from './dialogue.ts'
import type { AcpProfile } from './profile.ts'

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
