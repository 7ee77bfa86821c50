import { adapterOf } from '../built-in.ts'
import { buildSpawnArgs, endpointOverride } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { hooks } from './hooks.ts'
import { manifest } from './manifest.ts'
import { models } from './models.ts'
import { plugins } from './plugins.ts'
import { sessions } from './sessions.ts'
import { terminal } from './terminal.ts'

/** Pi: its RPC mode and, for one-shot runs, its JSON mode; the wire of 1.x and that of 0.73. */
export class PiAdapter extends adapterOf({
  manifest,
  buildSpawnArgs,
  createDialogue,
  sessions,
  hooks,
  endpointOverride,
  terminal,
  models,
  plugins,
}) {}

export default new PiAdapter()
