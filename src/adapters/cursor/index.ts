import { acpAdapter } from '../acp/index.ts'
import { buildSpawnArgs, profile } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { hooks } from './hooks.ts'
import { manifest } from './manifest.ts'

/** The Cursor CLI: ACP, and its own stream for one-shot runs. */
export const CursorAdapter = acpAdapter(manifest, profile, { buildSpawnArgs, createDialogue, hooks })

export default new CursorAdapter()
