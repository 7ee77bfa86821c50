import type { Effect } from '../contract/dialogue.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { NO_EFFECTS, warning } from './effects.ts'

/** For agents whose answer to `outputSchema` is their last message, which should be JSON. */
export function structuredOutput({ outputSchema }: RunOptions, text: string): Effect[] {
  if (!outputSchema) return NO_EFFECTS
  try {
    return [{ structuredOutput: JSON.parse(text) }]
  } catch {
    return [warning('The answer is not JSON, though outputSchema was given.')]
  }
}
