import { adapterOf } from '../built-in.ts'
import { buildSpawnArgs } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { hooks } from './hooks.ts'
import { manifest } from './manifest.ts'
import { sessions } from './sessions.ts'

/** Hermes: ACP, and its own stream for one-shot runs. */
export class HermesAdapter extends adapterOf({ manifest, buildSpawnArgs, createDialogue, sessions, hooks }) {}

export default new HermesAdapter()
