import type { HookContext } from '../../../contract/hooks.ts'
import type { AgentName } from '../../../contract/names.ts'
import { quoteWord } from '../../../core/command-line.ts'

/**
 * The command line by which an agent hands a hook to us. `answer` is what the agent must get on stdout, where
 * it takes silence for a failure.
 */
export function hookCommand({ callback }: HookContext, agent: AgentName, event: string, answer?: string): string {
  const isWindows = callback.endsWith('.cmd')
  const quote = isWindows ? quoteForWindows : quoteWord
  return [callback, agent, event, ...(answer === undefined ? [] : [answer])].map(quote).join(' ')
}

function quoteForWindows(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`
}
