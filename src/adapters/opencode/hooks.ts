import { opencodeHooks } from '../../core/opencode/hooks.ts'
import { dialect } from './dialect.ts'

export const hooks = opencodeHooks(dialect)
