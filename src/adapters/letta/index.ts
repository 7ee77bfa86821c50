import { adapterOf } from '../built-in.ts'
import { buildSpawnArgs } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { hooks } from './hooks.ts'
import { manifest } from './manifest.ts'
import { sessions } from './sessions.ts'

/** The Letta Code adapter. */
export class LettaAdapter extends adapterOf({ manifest, buildSpawnArgs, createDialogue, sessions, hooks }) {}

export default new LettaAdapter()
