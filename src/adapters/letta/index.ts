import { adapterOf } from '../built-in.ts'
import { buildSpawnArgs } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { manifest } from './manifest.ts'
import { sessions } from './sessions.ts'

/** The Letta Code adapter. */
export class LettaAdapter extends adapterOf({ manifest, buildSpawnArgs, createDialogue, sessions }) {}

export default new LettaAdapter()
