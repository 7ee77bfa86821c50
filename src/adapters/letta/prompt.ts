import type { RunOptions } from '../../contract/run-options.ts'
import { joinPrompt, withSystemBlock } from '../../core/prompt.ts'

/** The CLI knows only presets of its own for a system prompt, so it goes before the first words. */
export function promptText({ prompt, systemPrompt }: RunOptions): string {
  const text = joinPrompt(prompt)
  return systemPrompt === undefined ? text : withSystemBlock(systemPrompt, text)
}
