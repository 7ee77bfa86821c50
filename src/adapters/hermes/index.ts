import { acpAdapter } from '../acp/index.ts'
import { buildSpawnArgs, profile } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { hooks } from './hooks.ts'
import { manifest } from './manifest.ts'
import { sessions } from './sessions.ts'

/** Hermes: ACP, and its own stream for one-shot runs. */
export const HermesAdapter = acpAdapter(manifest, profile, { buildSpawnArgs, createDialogue, sessions, hooks })

export default new HermesAdapter()
