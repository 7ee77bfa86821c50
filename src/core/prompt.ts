import type { RunOptions } from '../contract/run-options.ts'

export function joinPrompt(prompt: RunOptions['prompt']): string {
  return Array.isArray(prompt) ? prompt.join('\n\n') : prompt
}

/** For `prepend`, and for agents that take no system prompt: a marked block before the first prompt. */
export function withSystemBlock(systemPrompt: string, prompt: string): string {
  return `<system_instructions>\n${systemPrompt}\n</system_instructions>\n\n${prompt}`
}

/** Told once in a run that uses the block. */
export const SYSTEM_BLOCK_WARNING = 'The system prompt is approximated by a marked block before the first prompt.'
