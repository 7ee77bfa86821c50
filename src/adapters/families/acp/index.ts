import type { AdapterManifest } from '../../../contract/manifest.ts'
import { type AdapterClass, type AdapterParts, adapterOf } from '../../built-in.ts'
import { acpSpawnArgs } from './args.ts'
import { acpDialogue } from './dialogue.ts'
import type { AcpProfile } from './profile.ts'

/**
 * The class of an adapter whose agent speaks ACP and nothing else is a manifest and this line:
 * `export class FooAdapter extends acpAdapter(manifest, { args: ['acp'] }) {}`. What it has besides goes into `parts`.
 */
export function acpAdapter(
  manifest: AdapterManifest,
  profile: AcpProfile,
  parts: Partial<AdapterParts> = {},
): AdapterClass {
  return adapterOf({
    manifest,
    buildSpawnArgs: acpSpawnArgs(manifest, profile),
    createDialogue: acpDialogue(manifest.agent, profile),
    ...parts,
  })
}
