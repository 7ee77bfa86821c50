import { acpAdapter } from '../families/acp/index.ts'
import { buildSpawnArgs, endpointOverride } from './args.ts'
import { manifest } from './manifest.ts'
import { profile } from './profile.ts'
import { sessions } from './sessions.ts'

/** Mistral Vibe, over ACP. */
export class VibeAdapter extends acpAdapter(manifest, profile, { buildSpawnArgs, endpointOverride, sessions }) {}

export default new VibeAdapter()
