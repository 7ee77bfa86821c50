import { opencodeTerminal } from '../families/opencode/terminal.ts'
import { dialect } from './dialect.ts'

export const terminal = opencodeTerminal(dialect)
