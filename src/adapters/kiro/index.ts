import { acpAdapter } from '../acp/index.ts'
import { manifest } from './manifest.ts'

/** The Kiro CLI, over ACP. */
export class KiroAdapter extends acpAdapter(manifest, {
  args: ['acp'],
  guidance: 'Run `kiro-cli login`, or set KIRO_API_KEY.',
  exitWords: [{ pattern: /^.*(not logged in|kiro-cli login).*$/im, kind: 'auth' }],
}) {}

export default new KiroAdapter()
