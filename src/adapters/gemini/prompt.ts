import { CapabilityError } from '../../contract/errors.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { mentionFile } from '../../core/mention.ts'
import { joinPrompt, withSystemBlock } from '../../core/prompt.ts'

/** The CLI can have its system prompt replaced, not added to: what is to be added precedes the first prompt. */
export function usesSystemBlock({ systemPrompt, systemPromptMode }: RunOptions): boolean {
  return systemPrompt !== undefined && systemPromptMode !== 'replace'
}

/** The prompt of a one-shot run. The CLI reads mentioned files itself. */
export function promptContent(options: RunOptions): string {
  const mentions = (options.attachments ?? []).map(({ filePath }) => {
    if (filePath !== undefined) return mentionFile(filePath)
    throw new CapabilityError('gemini', 'base64 and url attachments in a one-shot run', { hint: 'Use filePath.' })
  })
  const text = [joinPrompt(options.prompt), ...(mentions.length > 0 ? [mentions.join(' ')] : [])].join('\n\n')
  return usesSystemBlock(options) ? withSystemBlock(options.systemPrompt ?? '', text) : text
}
