import { adapterOf } from '../built-in.ts'
import { buildSpawnArgs, endpointOverride } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { hooks } from './hooks.ts'
import { manifest } from './manifest.ts'
import { sessions } from './sessions.ts'
import { terminal } from './terminal.ts'

/** Hermes, over ACP. */
export class HermesAdapter extends adapterOf({
  manifest,
  buildSpawnArgs,
  createDialogue,
  sessions,
  hooks,
  endpointOverride,
  terminal,
}) {}

export default new HermesAdapter()
