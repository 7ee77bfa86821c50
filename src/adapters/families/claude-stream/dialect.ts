import type { AgentName } from '../../../contract/names.ts'
import type { RunOptions } from '../../../contract/run-options.ts'
import type { ExitWords, FailureWords } from '../../../core/exit.ts'
import type { FailureKind } from '../../../core/failures.ts'
import type { JsonRecord } from '../../../core/json.ts'
import type { ToolMap, ToolOutcome } from '../../kit/tools.ts'

/** A field of a `result` record that reports the cause of a failure. */
export interface ResultVerdict {
  field: 'subtype' | 'terminal_reason' | 'stop_reason' | 'api_error'
  value: string
  kind: FailureKind
}

/**
 * What differs between the agents that speak Claude Code's stream-json. All of it is data, but for the three functions
 * at the end, which read or write what only the agent itself knows.
 */
export interface ClaudeDialect {
  agent: AgentName
  displayName: string
  tools: ToolMap
  /** Its approval is a question to the user. */
  questionTool: string
  /** Native records that are known and of no interest, named as they would be counted: `system/status`. */
  silent: ReadonlySet<string>

  /** A request that must come before the first message, or the CLI takes no control requests. */
  initialize?: (options: RunOptions) => JsonRecord
  /**
   * What becomes of a message that is sent while a turn runs. `taken`: the CLI takes it into the turn where it can, and
   * echoes it then. `queued`: it becomes a turn of its own.
   */
  midTurn: 'taken' | 'queued'
  /** Where the `assistant` record that repeats a streamed block is to the stop of that block. */
  wholeBlock: 'before-stop' | 'after-stop'
  /** A text block that is an error of the model API rather than an answer. Its first group is the HTTP status. */
  errorText?: RegExp
  /**
   * `replies`: with every reply, and in the result the sums of each model. `result`: only there, because the replies name
   * another model. `messages`: with every reply only, and input counts the cache.
   */
  usage: 'replies' | 'result' | 'messages'
  /** With counts in the messages: `result` has the sum of the session, with requests that no message reports. */
  resultHasTotals?: boolean
  /** The field of the `result` record that answers a schema. */
  structuredField: string

  guidance: string
  /** `apiKeySource` of a key that cannot become valid by trying again. */
  fixedKeySource?: string
  /** First match wins. */
  verdicts: readonly ResultVerdict[]
  /** Looked for in the message of a failed result, after the verdicts. */
  failureWords: readonly FailureWords[]
  /** Codes of `assistant` records with an `error`. */
  errorCodes: ReadonlyMap<string, FailureKind>
  /** Exit codes that give the cause of an end without a result. */
  exitCodes: ReadonlyMap<number, FailureKind>
  /** Looked for on stderr when the CLI leaves before its session has begun. */
  exitWords: readonly ExitWords[]
  /** What a launcher without its program says on stderr, and what to do then. */
  notInstalled?: { pattern: RegExp; hint: string }

  /** The first user message: text, or content blocks where attachments need them. */
  promptContent(options: RunOptions): string | object[]
  /** The `tool_result` block, which the model sees, with the structured result that only hosts get. */
  toolOutcome(block: JsonRecord, structured: unknown): ToolOutcome
}
