import type { RunOptions } from '../../contract/run-options.ts'
import { joinPrompt, withSystemBlock } from '../../core/prompt.ts'

/** The prompt of a one-shot run. The CLI takes no system prompt, so that precedes it. */
export function promptContent({ prompt, systemPrompt }: RunOptions): string {
  const text = joinPrompt(prompt)
  return systemPrompt === undefined ? text : withSystemBlock(systemPrompt, text)
}
