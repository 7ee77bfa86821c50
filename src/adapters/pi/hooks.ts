import { join } from 'node:path'
import { placeOf } from '../../core/agent-paths.ts'
import { piFamilyHooks } from '../families/pi/hooks.ts'
import { manifest } from './manifest.ts'

export const hooks = piFamilyHooks({
  agent: 'pi',
  userDirectory: (context) => placeOf('~/.pi/agent/extensions', manifest.directories, context),
  projectDirectory: join('.pi', 'extensions'),
  notes: ['Pi 1.x loads the extensions of a directory once the user has trusted it.'],
})
