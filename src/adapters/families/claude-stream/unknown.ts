import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import type { DialogueState } from './state.ts'

/** A native record that maps to nothing: counted, unless the dialect knows that it is of no interest. */
export function unknown({ dialect }: DialogueState, name: string): Effect[] {
  return dialect.silent.has(name) ? NO_EFFECTS : [{ unrecognized: name }]
}
