import type { Attachment, RunOptions } from '../contract/run-options.ts'
import { joinPrompt } from './prompt.ts'

const MIME_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
}

/** Of a file, by the end of its name: those that agents make a difference for. */
export function mimeTypeOf(name: string): string | undefined {
  return MIME_TYPES[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '']
}

export function isImage({ mimeType, name, filePath, url }: Attachment): boolean {
  const type = mimeType ?? mimeTypeOf(name ?? filePath ?? url ?? '')
  return type?.startsWith('image/') ?? false
}

/** The first message for an agent that takes images only: other files are named, and it reads them itself. */
export function promptNamingFiles({ prompt, attachments = [] }: RunOptions): string {
  const files = attachments.filter((one) => one.filePath !== undefined && !isImage(one))
  const named = files.map(({ filePath }) => `@${filePath}`)
  return [joinPrompt(prompt), named.join(' ')].filter((part) => part !== '').join('\n\n')
}
