import type { AdapterHost } from '../base.ts'
import { BuiltInAdapter } from '../built-in.ts'
import { buildSpawnArgs, endpointOverride } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { manifest } from './manifest.ts'
import { sessions } from './sessions.ts'

/** Continue's CLI, `cn -p`. */
export class ContinueAdapter extends BuiltInAdapter {
  constructor(host: Partial<AdapterHost> = {}) {
    super({ manifest, buildSpawnArgs, createDialogue, sessions, endpointOverride }, host)
  }
}

export default new ContinueAdapter()
