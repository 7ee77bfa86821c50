import { adapterOf } from '../built-in.ts'
import { buildSpawnArgs } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { hooks } from './hooks.ts'
import { manifest } from './manifest.ts'

/** The Amp adapter. Its threads are on its server, so there is no store to read. */
export class AmpAdapter extends adapterOf({ manifest, buildSpawnArgs, createDialogue, hooks }) {}

export default new AmpAdapter()
