import { opencodeHooks } from '../families/opencode/hooks.ts'
import { dialect } from './dialect.ts'

export const hooks = opencodeHooks(dialect)
