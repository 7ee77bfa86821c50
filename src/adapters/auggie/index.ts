import { acpAdapter } from '../families/acp/index.ts'
import { hooks } from './hooks.ts'
import { manifest } from './manifest.ts'

/** Auggie, over ACP. */
export class AuggieAdapter extends acpAdapter(
  manifest,
  {
    args: ['--acp'],
    env: { AUGMENT_DISABLE_AUTO_UPDATE: '1' },
    modelFlag: '--model',
    guidance: 'Run `auggie login`, or set AUGMENT_SESSION_AUTH.',
    exitWords: [{ pattern: /^.*(No auth provided|Authentication failed).*$/m, kind: 'auth' }],
  },
  { hooks },
) {}

export default new AuggieAdapter()
