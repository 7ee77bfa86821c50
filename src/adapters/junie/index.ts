import { acpAdapter } from '../families/acp/index.ts'
import { manifest } from './manifest.ts'

/** Junie, over ACP. */
export class JunieAdapter extends acpAdapter(manifest, {
  args: ['--acp=true'],
  guidance: 'Run `junie` once and sign in, or set JUNIE_API_KEY.',
}) {}

export default new JunieAdapter()
