import { adapterOf } from '../built-in.ts'
import { buildSpawnArgs } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { manifest } from './manifest.ts'

/** The Roo Code adapter: the records of `roo --print`. */
export class RooAdapter extends adapterOf({ manifest, buildSpawnArgs, createDialogue }) {}

export default new RooAdapter()
