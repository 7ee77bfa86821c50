import { CapabilityError, ValidationError } from '../../contract/errors.ts'
import type { Attachment, RunOptions } from '../../contract/run-options.ts'
import { joinPrompt } from '../kit/prompt.ts'

const PDF = 'application/pdf'

/** The CLI reads a mentioned file itself, images and PDFs included. It knows no escape for a quote. */
function mention(filePath: string): string {
  if (/["\n]/.test(filePath)) {
    const expected = 'a path without quotes and line breaks'
    throw new ValidationError([{ field: 'attachments', message: expected, received: filePath, expected }])
  }
  return `@"${filePath}"`
}

function block({ url, base64, mimeType = '' }: Attachment): object {
  const type = mimeType.startsWith('image/') ? 'image' : mimeType === PDF ? 'document' : null
  if (base64 !== undefined && type) return { type, source: { type: 'base64', media_type: mimeType, data: base64 } }
  if (url !== undefined && (type || mimeType === '')) return { type: type ?? 'image', source: { type: 'url', url } }
  throw new CapabilityError('claude', `attachments of type ${mimeType || 'unknown'}`, {
    hint: 'Give images and PDFs as base64 or url, and everything else as filePath.',
  })
}

/** The first user message: text, or content blocks where attachments need them. */
export function promptContent(options: RunOptions): string | object[] {
  const { prompt, attachments = [] } = options
  const text = joinPrompt(prompt)
  const mentions = attachments.flatMap(({ filePath }) => (filePath === undefined ? [] : [mention(filePath)]))
  const blocks = attachments.filter(({ filePath }) => filePath === undefined).map(block)
  const whole = mentions.length === 0 ? text : `${text}\n\n${mentions.join(' ')}`
  if (blocks.length === 0) return whole
  if (options.nonInteractive) {
    throw new CapabilityError('claude', 'base64 and url attachments in one-shot runs', { hint: 'Use filePath.' })
  }
  // The CLI looks for mentions in the last block only.
  return [...blocks, { type: 'text', text: whole }]
}
