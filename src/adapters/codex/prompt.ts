import type { Attachment, RunOptions } from '../../contract/run-options.ts'
import type { JsonRecord } from '../../core/json.ts'
import { continuesSession } from '../kit/continues-session.ts'
import { joinPrompt, withSystemBlock } from '../kit/prompt.ts'

/** Where the system prompt goes. A thread that exists keeps its developer instructions, so there it precedes the prompt. */
export function systemPromptPlace(options: RunOptions): 'none' | 'developer' | 'base' | 'prompt' {
  const { systemPrompt, systemPromptMode = 'append' } = options
  if (!systemPrompt) return 'none'
  if (systemPromptMode === 'replace') return 'base'
  return systemPromptMode === 'prepend' || continuesSession(options) ? 'prompt' : 'developer'
}

/** The first user message. */
export function promptContent(options: RunOptions): string {
  const text = joinPrompt(options.prompt)
  return systemPromptPlace(options) === 'prompt' ? withSystemBlock(options.systemPrompt ?? '', text) : text
}

export function textInput(text: string): JsonRecord {
  return { type: 'text', text, text_elements: [] }
}

export function imageInput({ filePath, url, base64, mimeType }: Attachment): JsonRecord {
  if (filePath !== undefined) return { type: 'localImage', path: filePath }
  return { type: 'image', url: url ?? `data:${mimeType ?? 'image/png'};base64,${base64 ?? ''}` }
}
