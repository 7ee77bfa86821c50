import type { AdapterHost } from '../base.ts'
import { BuiltInAdapter } from '../built-in.ts'
import { noSessions as sessions } from '../no-sessions.ts'
import { buildSpawnArgs } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { manifest } from './manifest.ts'

/** The Aider adapter: text only. */
export class AiderAdapter extends BuiltInAdapter {
  constructor(host: Partial<AdapterHost> = {}) {
    super({ manifest, buildSpawnArgs, createDialogue, sessions }, host)
  }
}

export default new AiderAdapter()
