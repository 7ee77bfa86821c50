import type { Dialogue } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { opencodeRunDialogue } from '../../core/opencode/dialogue.ts'
import { dialect } from './dialect.ts'

export function createDialogue(options: RunOptions): Dialogue {
  return opencodeRunDialogue(dialect, options)
}
