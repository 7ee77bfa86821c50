import { acpAdapter } from '../acp/index.ts'
import { buildSpawnArgs, profile } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { manifest } from './manifest.ts'

/** goose: ACP, and its own stream for one-shot runs. */
export const GooseAdapter = acpAdapter(manifest, profile, { buildSpawnArgs, createDialogue })

export default new GooseAdapter()
