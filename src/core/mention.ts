import { ValidationError } from '../contract/errors.ts'

const SPECIAL = /[ \t()[\]{};|*?$`'"#&<>!~,\\]/g

/** `@path`, in the spelling of the Gemini family of CLIs, which read a file that a prompt mentions. */
export function mentionFile(filePath: string): string {
  if (filePath.includes('\n')) {
    const expected = 'a path without line breaks'
    throw new ValidationError([{ field: 'attachments', message: expected, received: filePath, expected }])
  }
  return `@${filePath.replace(SPECIAL, '\\$&')}`
}
