import { join } from 'node:path'
import { piFamilyHooks } from '../../core/pi-family/hooks.ts'

export const hooks = piFamilyHooks({
  agent: 'omp',
  userDirectory: ({ homeDir }) => join(homeDir, '.omp', 'agent', 'extensions'),
})
