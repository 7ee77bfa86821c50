import { opencode } from '../../core/opencode/opencode.ts'
import { opencodeTerminal } from '../../core/opencode/terminal.ts'

export const terminal = opencodeTerminal(opencode)
