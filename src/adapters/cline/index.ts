import { adapterOf } from '../built-in.ts'
import { buildSpawnArgs, endpointOverride } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { hooks } from './hooks.ts'
import { manifest } from './manifest.ts'
import { plugins } from './plugins.ts'
import { sessions } from './sessions.ts'
import { terminal } from './terminal.ts'

/** The Cline CLI: `cline --json`. */
export class ClineAdapter extends adapterOf({
  manifest,
  buildSpawnArgs,
  createDialogue,
  sessions,
  hooks,
  endpointOverride,
  terminal,
  plugins,
}) {}

export default new ClineAdapter()
