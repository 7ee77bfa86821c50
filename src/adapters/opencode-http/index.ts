import { adapterOf } from '../built-in.ts'
import { buildSpawnArgs, endpointOverride } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { hooks } from './hooks.ts'
import { manifest } from './manifest.ts'
import { models } from './models.ts'
import { plugins } from './plugins.ts'
import { sessions } from './sessions.ts'

/** OpenCode as a server of its own for each run: `opencode serve`, its routes, and its stream of events. */
export class OpencodeHttpAdapter extends adapterOf({
  manifest,
  buildSpawnArgs,
  createDialogue,
  sessions,
  hooks,
  endpointOverride,
  models,
  plugins,
}) {}

export default new OpencodeHttpAdapter()
