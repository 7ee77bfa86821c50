import { adapterOf } from '../built-in.ts'
import { buildSpawnArgs } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { hooks } from './hooks.ts'
import { manifest } from './manifest.ts'

/** The Cursor CLI: ACP, and its own stream for one-shot runs. */
export class CursorAdapter extends adapterOf({ manifest, buildSpawnArgs, createDialogue, hooks }) {}

export default new CursorAdapter()
