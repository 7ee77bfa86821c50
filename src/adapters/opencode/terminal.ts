import { opencodeTerminal } from '../../core/opencode/terminal.ts'
import { dialect } from './dialect.ts'

export const terminal = opencodeTerminal(dialect)
