import { adapterOf } from '../built-in.ts'
import { buildSpawnArgs, endpointOverride } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { manifest } from './manifest.ts'
import { sessions } from './sessions.ts'

/** The Aider adapter: text only. */
export class AiderAdapter extends adapterOf({
  manifest,
  buildSpawnArgs,
  createDialogue,
  sessions,
  endpointOverride,
}) {}

export default new AiderAdapter()
