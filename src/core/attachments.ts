import type { Attachment } from '../contract/run-options.ts'

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
