import { adapterOf } from '../built-in.ts'
import { buildSpawnArgs } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { manifest } from './manifest.ts'

/** The Antigravity CLI adapter. */
export class AgyAdapter extends adapterOf({ manifest, buildSpawnArgs, createDialogue }) {}

export default new AgyAdapter()
