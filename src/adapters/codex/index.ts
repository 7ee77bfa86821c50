import type { AdapterHost } from '../base.ts'
import { BuiltInAdapter } from '../built-in.ts'
import { buildSpawnArgs, endpointOverride } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { hooks } from './hooks.ts'
import { manifest } from './manifest.ts'
import { sessions } from './sessions.ts'
import { terminal } from './terminal.ts'

/** The Codex CLI: its app server and, for plain one-shot runs, `codex exec --json`. */
export class CodexAdapter extends BuiltInAdapter {
  constructor(host: Partial<AdapterHost> = {}) {
    super({ manifest, buildSpawnArgs, createDialogue, sessions, hooks, endpointOverride, terminal }, host)
  }
}

export default new CodexAdapter()
