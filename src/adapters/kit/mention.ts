import { CapabilityError, ValidationError } from '../../contract/errors.ts'
import type { AgentName } from '../../contract/names.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { isImage } from '../../core/attachments.ts'
import { joinPrompt } from './prompt.ts'

const SPECIAL = /[ \t()[\]{};|*?$`'"#&<>!~,\\]/g

/** `@path`, in the spelling of the Gemini family of CLIs, which read a file that a prompt mentions. */
export function mentionFile(filePath: string): string {
  if (filePath.includes('\n')) {
    const expected = 'a path without line breaks'
    throw new ValidationError([{ field: 'attachments', message: expected, received: filePath, expected }])
  }
  return `@${filePath.replace(SPECIAL, '\\$&')}`
}

/** The first user message, with its attachments by name: such a CLI takes text only. */
export function promptWithMentions(agent: AgentName, { prompt, attachments = [] }: RunOptions): string {
  const mentions = attachments.map(({ filePath }) => {
    if (filePath !== undefined) return mentionFile(filePath)
    throw new CapabilityError(agent, 'base64 and url attachments', { hint: 'Use filePath.' })
  })
  const text = joinPrompt(prompt)
  return mentions.length === 0 ? text : `${text}\n\n${mentions.join(' ')}`
}

/** The first message for an agent that takes images only: other files are named, and it reads them itself. */
export function promptNamingFiles({ prompt, attachments = [] }: RunOptions): string {
  const files = attachments.filter((one) => one.filePath !== undefined && !isImage(one))
  const named = files.map(({ filePath }) => `@${filePath}`)
  return [joinPrompt(prompt), named.join(' ')].filter((part) => part !== '').join('\n\n')
}
