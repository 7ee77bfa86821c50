import type { RunOptions } from '../../contract/run-options.ts'
import { joinPrompt, withSystemBlock } from '../../core/prompt.ts'

export function userRecord(content: string): string {
  return JSON.stringify({ event: 'user', message: { content } })
}

/** The first one of a run. */
export function userMessage({ prompt, systemPrompt }: RunOptions): string {
  const text = joinPrompt(prompt)
  return userRecord(systemPrompt === undefined ? text : withSystemBlock(systemPrompt, text))
}
