import { adapterOf } from '../built-in.ts'
import { buildSpawnArgs } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { manifest } from './manifest.ts'

/** goose: ACP, and its own stream for one-shot runs. */
export class GooseAdapter extends adapterOf({ manifest, buildSpawnArgs, createDialogue }) {}

export default new GooseAdapter()
