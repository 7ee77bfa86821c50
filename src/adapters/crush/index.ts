import { adapterOf } from '../built-in.ts'
import { buildSpawnArgs } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { hooks } from './hooks.ts'
import { manifest } from './manifest.ts'

/** The Crush adapter: text only. */
export class CrushAdapter extends adapterOf({ manifest, buildSpawnArgs, createDialogue, hooks }) {}

export default new CrushAdapter()
