import { placeOf } from '../../core/agent-paths.ts'
import { piFamilyHooks } from '../families/pi/hooks.ts'
import { manifest } from './manifest.ts'

export const hooks = piFamilyHooks({
  agent: 'omp',
  userDirectory: (context) => placeOf('~/.omp/agent/extensions', manifest.directories, context),
})
