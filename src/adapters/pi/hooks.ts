import { join } from 'node:path'
import { piFamilyHooks } from '../../core/pi-family/hooks.ts'

export const hooks = piFamilyHooks({
  agent: 'pi',
  userDirectory: ({ env, homeDir }) => join(env.PI_CODING_AGENT_DIR || join(homeDir, '.pi', 'agent'), 'extensions'),
  projectDirectory: join('.pi', 'extensions'),
  notes: ['Pi 1.x loads the extensions of a directory once the user has trusted it.'],
})
