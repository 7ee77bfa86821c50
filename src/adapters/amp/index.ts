import type { AdapterHost } from '../base.ts'
import { BuiltInAdapter } from '../built-in.ts'
import { noSessions as sessions } from '../no-sessions.ts'
import { buildSpawnArgs } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { manifest } from './manifest.ts'

/** The Amp adapter. Its threads are on its server, so there is no store to read. */
export class AmpAdapter extends BuiltInAdapter {
  constructor(host: Partial<AdapterHost> = {}) {
    super({ manifest, buildSpawnArgs, createDialogue, sessions }, host)
  }
}

export default new AmpAdapter()
