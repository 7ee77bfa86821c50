import type { Conversation } from '../conversation.ts'
import type { ToolIntent } from '../types.ts'

const FENCE = '```'

/**
 * Aider offers its model no tools: an edit is a form of text that its prompt describes. Unknown models get the whole file,
 * others a block to search and replace, with which they may also suggest commands (0.86).
 */
export const textForm = (intent: ToolIntent, { tools, system }: Conversation): string | undefined => {
  if (tools.length > 0) return undefined
  const takesBlocks = system.includes('*SEARCH/REPLACE block*')
  if (intent.intent === 'shell' && takesBlocks) return `${FENCE}bash\n${intent.command}\n${FENCE}`
  if (intent.intent !== 'write') return undefined
  if (takesBlocks)
    return `${intent.path}\n${FENCE}\n<<<<<<< SEARCH\n=======\n${intent.content}>>>>>>> REPLACE\n${FENCE}`
  return system.includes('*file listing*') ? `${intent.path}\n${FENCE}\n${intent.content}${FENCE}` : undefined
}
