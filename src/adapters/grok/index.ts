import type { AdapterHost } from '../base.ts'
import { BuiltInAdapter } from '../built-in.ts'
import { buildSpawnArgs, endpointOverride } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { manifest } from './manifest.ts'
import { sessions } from './sessions.ts'

/** xAI's Grok Build: ACP and, for what only that can, its one-way stream. */
export class GrokAdapter extends BuiltInAdapter {
  constructor(host: Partial<AdapterHost> = {}) {
    super({ manifest, buildSpawnArgs, createDialogue, sessions, endpointOverride }, host)
  }
}

export default new GrokAdapter()
