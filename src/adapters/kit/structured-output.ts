import type { Effect } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { parseAnswer } from '../../core/output-schema.ts'

/** For agents whose answer to `outputSchema` is their last message, which should be JSON. */
export function structuredOutput({ outputSchema }: RunOptions, text: string): Effect[] {
  const answer = outputSchema ? parseAnswer(text) : null
  return answer === null ? NO_EFFECTS : [{ structuredOutput: answer.value }]
}
