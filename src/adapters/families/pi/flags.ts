import { CapabilityError } from '../../../contract/errors.ts'
import type { AgentName } from '../../../contract/names.ts'
import type { RunOptions } from '../../../contract/run-options.ts'
import type { RunFile } from '../../../contract/spawn.ts'

/** In a file, which these options take as well: a long text has no room on a command line. */
export function systemPromptFlags({ systemPrompt, systemPromptMode }: RunOptions, files: RunFile[]): string[] {
  if (systemPrompt === undefined) return []
  files.push({ name: 'system-prompt.md', content: systemPrompt })
  return [systemPromptMode === 'replace' ? '--system-prompt' : '--append-system-prompt', '{file:system-prompt.md}']
}

/** The one-shot form takes files on its command line; the live form has images and names of files in its first message. */
export function attachmentFlags(agent: AgentName, { attachments = [], nonInteractive }: RunOptions): string[] {
  return attachments.flatMap(({ filePath, base64, mimeType = '' }) => {
    if (filePath !== undefined) return nonInteractive ? [`@${filePath}`] : []
    if (!nonInteractive && base64 !== undefined && mimeType.startsWith('image/')) return []
    const form = nonInteractive ? 'one-shot' : 'live'
    const hint = nonInteractive ? 'Give a filePath.' : 'Give a filePath, or an image as base64.'
    throw new CapabilityError(agent, `this attachment in a ${form} run`, { hint })
  })
}

/** A prompt that begins like a file mention or an option would be taken for one; a blank before it keeps it a prompt. */
export function asMessage(text: string): string {
  return /^[-@]/.test(text) ? ` ${text}` : text
}
