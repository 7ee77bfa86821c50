import { adapterOf } from '../built-in.ts'
import { buildSpawnArgs } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { manifest } from './manifest.ts'

/** The Aider adapter: text only. */
export class AiderAdapter extends adapterOf({ manifest, buildSpawnArgs, createDialogue }) {}

export default new AiderAdapter()
