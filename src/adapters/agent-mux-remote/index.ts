import type { AdapterHost } from '../base.ts'
import { BuiltInAdapter } from '../built-in.ts'
import { buildSpawnArgs } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { manifest } from './manifest.ts'
import { sessions } from './sessions.ts'

/** A run on another agent-mux: `amux run --stdio` at the other end of whatever command leads there. */
export class AgentMuxRemoteAdapter extends BuiltInAdapter {
  constructor(host: Partial<AdapterHost> = {}) {
    super({ manifest, buildSpawnArgs, createDialogue, sessions }, host)
  }
}

export default new AgentMuxRemoteAdapter()
