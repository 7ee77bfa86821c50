import type { RunOptions } from '../../contract/run-options.ts'
import { promptWithMentions } from '../kit/mention.ts'
import { withSystemBlock } from '../kit/prompt.ts'

/** The CLI can have its system prompt replaced, not added to: what is to be added precedes the first prompt. */
export function usesSystemBlock({ systemPrompt, systemPromptMode }: RunOptions): boolean {
  return systemPrompt !== undefined && systemPromptMode !== 'replace'
}

/** The prompt of a one-shot run. The CLI reads mentioned files itself. */
export function promptContent(options: RunOptions): string {
  const text = promptWithMentions('gemini', options)
  return usesSystemBlock(options) ? withSystemBlock(options.systemPrompt ?? '', text) : text
}
