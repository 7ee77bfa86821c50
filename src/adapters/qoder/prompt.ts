import { CapabilityError } from '../../contract/errors.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { mentionFile } from '../../core/mention.ts'
import { joinPrompt } from '../../core/prompt.ts'

/** The first user message of a one-shot run: text, with files by their names. */
export function promptContent({ prompt, attachments = [] }: RunOptions): string {
  const mentions = attachments.map(({ filePath }) => {
    if (filePath === undefined) throw new CapabilityError('qoder', 'base64 and url attachments, one-shot')
    return mentionFile(filePath)
  })
  return [joinPrompt(prompt), ...mentions].join('\n\n')
}
