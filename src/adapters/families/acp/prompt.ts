import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ContentBlock, PromptCapabilities } from '@agentclientprotocol/sdk/unstable'
import type { Attachment } from '../../../contract/run-options.ts'
import { asRecord } from '../../../core/json.ts'
import { continuesSession } from '../../kit/continues-session.ts'
import { joinPrompt, withSystemBlock } from '../../kit/prompt.ts'
import type { Native } from './rpc.ts'
import type { AcpState } from './state.ts'

/** Where a new session of this agent takes the system prompt; undefined where it has no place, or the session is old. */
export function systemPromptField({ profile, options }: AcpState): string | undefined {
  if (!options.systemPrompt || continuesSession(options)) return undefined
  return profile.systemPromptMeta?.[options.systemPromptMode ?? 'append']
}

/** The first user message. There is no place for a system prompt in the protocol, so it goes before the words. */
export function promptText(state: AcpState): string {
  const { prompt, systemPrompt } = state.options
  const text = joinPrompt(prompt)
  return systemPrompt && systemPromptField(state) === undefined ? withSystemBlock(systemPrompt, text) : text
}

/** The content of one turn. Attachments belong to the first. */
export function promptBlocks(state: AcpState, text: string): ContentBlock[] {
  const attachments = state.isFirstTurn ? (state.options.attachments ?? []) : []
  const cwd = state.options.cwd ?? '.'
  return [...attachments.map((attachment) => attachmentBlock(attachment, cwd)), { type: 'text', text }]
}

/** Files and addresses go by name: every agent takes links. What has only bytes is sent whole. */
function attachmentBlock({ filePath, url, base64, mimeType, name }: Attachment, cwd: string): ContentBlock {
  if (base64 !== undefined) {
    if (isImage(mimeType)) return { type: 'image', data: base64, mimeType: mimeType ?? 'image/png' }
    const uri = `attachment:///${encodeURIComponent(name ?? 'file')}`
    const isText = mimeType?.startsWith('text/') ?? false
    const text = Buffer.from(base64, 'base64').toString('utf8')
    return { type: 'resource', resource: isText ? { uri, mimeType, text } : { uri, mimeType, blob: base64 } }
  }
  const uri = url ?? pathToFileURL(resolve(cwd, filePath ?? '')).href
  return { type: 'resource_link', uri, name: name ?? basename(filePath ?? uri), mimeType }
}

function isImage(mimeType: string | undefined): boolean {
  return mimeType?.startsWith('image/') ?? false
}

/** What the attachments need and the agent does not offer, in words; null when there is nothing. */
export function missingForPrompt(state: AcpState): string | null {
  const { image, embeddedContext }: Native<PromptCapabilities> = asRecord(state.capabilities.promptCapabilities) ?? {}
  for (const { base64, mimeType } of state.options.attachments ?? []) {
    if (base64 === undefined) continue
    if (isImage(mimeType) && image !== true) return 'images in a prompt'
    if (!isImage(mimeType) && embeddedContext !== true) return 'files inside a prompt'
  }
  return null
}
