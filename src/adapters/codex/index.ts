import { adapterOf } from '../built-in.ts'
import { buildSpawnArgs, endpointOverride } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { hooks } from './hooks.ts'
import { manifest } from './manifest.ts'
import { models } from './models.ts'
import { plugins } from './plugins.ts'
import { quota } from './quota.ts'
import { sessions } from './sessions.ts'
import { terminal } from './terminal.ts'

/** The Codex CLI: its app server and, for plain one-shot runs, `codex exec --json`. */
export class CodexAdapter extends adapterOf({
  manifest,
  buildSpawnArgs,
  createDialogue,
  sessions,
  hooks,
  endpointOverride,
  terminal,
  models,
  quota,
  plugins,
}) {}

export default new CodexAdapter()
