import { opencodeHooks } from '../../core/opencode/hooks.ts'
import { opencode } from '../../core/opencode/opencode.ts'

export const hooks = opencodeHooks({ ...opencode, agent: 'opencode-http' })
