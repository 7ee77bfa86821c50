import { adapterOf } from '../built-in.ts'
import { buildSpawnArgs } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { hooks } from './hooks.ts'
import { manifest } from './manifest.ts'
import { plugins } from './plugins.ts'

/** The Qoder CLI: ACP, and its own stream for one-shot runs. */
export class QoderAdapter extends adapterOf({ manifest, buildSpawnArgs, createDialogue, hooks, plugins }) {}

export default new QoderAdapter()
