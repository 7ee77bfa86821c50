import { acpAdapter } from '../families/acp/index.ts'
import { manifest } from './manifest.ts'

/** Mistral Vibe, over ACP. */
export class VibeAdapter extends acpAdapter(manifest, {
  args: [],
  guidance: 'Set MISTRAL_API_KEY, or run `vibe --setup`.',
}) {}

export default new VibeAdapter()
