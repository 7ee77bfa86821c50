import { acpAdapter } from '../families/acp/index.ts'
import { hooks } from './hooks.ts'
import { manifest } from './manifest.ts'

/** The Kiro CLI, over ACP. */
export class KiroAdapter extends acpAdapter(
  manifest,
  {
    args: ['acp'],
    guidance: 'Run `kiro-cli login`, or set KIRO_API_KEY.',
    exitWords: [{ pattern: /^.*(not logged in|kiro-cli login).*$/im, kind: 'auth' }],
  },
  { hooks },
) {}

export default new KiroAdapter()
