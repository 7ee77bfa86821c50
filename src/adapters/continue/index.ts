import { adapterOf } from '../built-in.ts'
import { buildSpawnArgs, endpointOverride } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { manifest } from './manifest.ts'
import { sessions } from './sessions.ts'

/** Continue's CLI, `cn -p`. */
export class ContinueAdapter extends adapterOf({
  manifest,
  buildSpawnArgs,
  createDialogue,
  sessions,
  endpointOverride,
}) {}

export default new ContinueAdapter()
