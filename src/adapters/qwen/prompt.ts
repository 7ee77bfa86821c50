import { CapabilityError, ValidationError } from '../../contract/errors.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { joinPrompt } from '../../core/prompt.ts'

const SPECIAL = /[ \t()[\]{};|*?$`'"#&<>!~,\\]/g

/** The CLI reads a mentioned file itself. */
function mention(filePath: string): string {
  if (filePath.includes('\n')) {
    const expected = 'a path without line breaks'
    throw new ValidationError([{ field: 'attachments', message: expected, received: filePath, expected }])
  }
  return `@${filePath.replace(SPECIAL, '\\$&')}`
}

/** The first user message. The CLI takes text only: any other content block would reach the model as its JSON. */
export function promptContent({ prompt, attachments = [] }: RunOptions): string {
  const mentions = attachments.map(({ filePath }) => {
    if (filePath === undefined)
      throw new CapabilityError('qwen', 'base64 and url attachments', { hint: 'Use filePath.' })
    return mention(filePath)
  })
  const text = joinPrompt(prompt)
  return mentions.length === 0 ? text : `${text}\n\n${mentions.join(' ')}`
}
