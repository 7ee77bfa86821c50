import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { ValidationError } from '../contract/errors.ts'
import type { AdapterManifest } from '../contract/manifest.ts'
import type { Attachment, RunOptions } from '../contract/run-options.ts'
import { isImage, mimeTypeOf } from '../core/attachments.ts'

/** No provider takes a larger one. */
const MAX_BYTES = 20 * 1024 * 1024

/** The images in files, read for an agent that would otherwise get only their path. */
export function inlineImages(options: RunOptions, when: AdapterManifest['imagesAsData']): RunOptions {
  const { attachments, nonInteractive = false } = options
  if (attachments === undefined || when === undefined || (when === 'live' && nonInteractive)) return options
  return { ...options, attachments: attachments.map((one) => (one.filePath && isImage(one) ? inline(one) : one)) }
}

function inline({ filePath = '', name, mimeType }: Attachment): Attachment {
  const file = statSync(filePath, { throwIfNoEntry: false })
  if (!file?.isFile() || file.size > MAX_BYTES) {
    const expected = `the path of an image of at most ${MAX_BYTES / 1024 / 1024} MB`
    throw new ValidationError([{ field: 'attachments', message: expected, received: filePath, expected }])
  }
  const base64 = readFileSync(filePath, 'base64')
  return { base64, mimeType: mimeType ?? mimeTypeOf(filePath), name: name ?? basename(filePath) }
}
