import type { RunOptions } from '../../contract/run-options.ts'

export function joinPrompt(prompt: RunOptions['prompt']): string {
  return Array.isArray(prompt) ? prompt.join('\n\n') : prompt
}

/** For `prepend`, and for agents that take no system prompt: a marked block before the first prompt. */
export function withSystemBlock(systemPrompt: string, prompt: string): string {
  return `<system_instructions>\n${systemPrompt}\n</system_instructions>\n\n${prompt}`
}

/** The whole prompt of an agent that takes no system prompt. */
export function promptWithSystem({ systemPrompt, prompt }: RunOptions): string {
  const text = joinPrompt(prompt)
  return systemPrompt === undefined ? text : withSystemBlock(systemPrompt, text)
}

/** Emitted once in a run that uses the block. */
export const SYSTEM_BLOCK_WARNING = 'The system prompt is approximated by a marked block before the first prompt.'
