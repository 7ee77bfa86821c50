import type { RunOptions } from '../../contract/run-options.ts'
import type { JsonRecord } from '../../core/json.ts'
import type { ToolCall } from '../../core/tools.ts'

/** What one dialogue knows. */
export interface DialogueState {
  readonly options: RunOptions
  readonly calls: Map<string, ToolCall>
  /** Calls whose output was told as it came. */
  readonly streamed: Set<string>
  begun: boolean
  lastError: JsonRecord
  settled: boolean
}

export function createState(options: RunOptions): DialogueState {
  return { options, calls: new Map(), streamed: new Set(), begun: false, lastError: {}, settled: false }
}
