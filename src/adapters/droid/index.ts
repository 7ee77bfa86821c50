import { adapterOf } from '../built-in.ts'
import { buildSpawnArgs, endpointOverride } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { hooks } from './hooks.ts'
import { manifest } from './manifest.ts'
import { models } from './models.ts'
import { plugins } from './plugins.ts'
import { sessions } from './sessions.ts'
import { terminal } from './terminal.ts'

/** Factory's Droid: `droid exec` with its JSON-RPC form. */
export class DroidAdapter extends adapterOf({
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

export default new DroidAdapter()
