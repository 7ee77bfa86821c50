import { acpAdapter } from '../acp/index.ts'
import { buildSpawnArgs } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { manifest } from './manifest.ts'
import { profile } from './profile.ts'
import { sessions } from './sessions.ts'

/** Hermes: ACP, and its own stream for one-shot runs. */
export const HermesAdapter = acpAdapter(manifest, profile, { buildSpawnArgs, createDialogue, sessions })

export default new HermesAdapter()
