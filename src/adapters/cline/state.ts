import type { RunOptions } from '../../contract/run-options.ts'
import type { JsonRecord } from '../../core/json.ts'
import { OpenCalls } from '../kit/open-calls.ts'
import type { ToolCall } from '../kit/tools.ts'

/** What one dialogue knows. */
export interface DialogueState {
  readonly options: RunOptions
  readonly calls: Map<string, ToolCall>
  /** Calls whose output was reported as it came. */
  readonly streamed: Set<string>
  begun: boolean
  /** Some of a text has come, and not its end. */
  textIsOpen: boolean
  lastError: JsonRecord
  settled: boolean
}

export function createState(options: RunOptions): DialogueState {
  const [calls, streamed] = [new OpenCalls<ToolCall>(), new Set<string>()]
  return { options, calls, streamed, begun: false, textIsOpen: false, lastError: {}, settled: false }
}
