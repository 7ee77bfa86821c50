import type { Effect } from '../../../contract/dialogue.ts'
import type { AgentName } from '../../../contract/names.ts'
import type { ExitWords } from '../../../core/exit.ts'
import type { JsonRecord } from '../../../core/json.ts'
import type { ToolCall, ToolMap } from '../../kit/tools.ts'

/** What the result of a call reports that its name and input do not. */
export interface ResultFacts {
  /** The call was one of an MCP server's tools. */
  mcp?: { server: string; toolName: string; input: unknown }
  /** What it did, in place of what its input says. */
  did?: Effect[]
}

/**
 * What differs between the agents that grew out of Pi. Which version of the wire a record belongs
 * to shows in the record itself.
 */
export interface PiDialect {
  agent: AgentName
  displayName: string
  guidance: string
  tools: ToolMap
  /** Native records that are known and of no interest. */
  silent: ReadonlySet<string>
  /** How the tools of the run's own MCP servers are called: then come the server and the tool, each after a dash. */
  mcpPrefix?: string
  resultFacts?(call: ToolCall, details: JsonRecord): ResultFacts
  /** The tool that starts sub-agents and reports them in its result. */
  subagentTool?: string
  /** What the CLI adds to the output of a command. */
  outputTail?: RegExp
  /** A failed call that somebody's policy has refused. */
  deniedText: RegExp
  /** The CLI reports its sub-agents when it is asked to. */
  reportsSubagents?: boolean
  /** The CLI would go on with more retries than these for minutes: the run is ended instead. */
  maxRetries?: number
  /** First match wins. */
  exitWords: readonly ExitWords[]
}

/** Both CLIs leave with these. */
export const EXIT_WORDS: readonly ExitWords[] = [
  // A crash of omp shows the source line that threw it as well.
  { pattern: /^(?:error: |.*Failed to load extension.*: )?No API key.*$/im, kind: 'auth' },
  { pattern: /^.*(?:No session found|Session ".*" not found).*$/m, kind: 'session_not_found' },
  { pattern: /^.*(?:Model ".*" not found|No models? (?:available|matching)).*$/m, kind: 'model_not_found' },
  { pattern: /^.*(?:unknown (?:option|flag)|Failed to load extension).*$/im, kind: 'invalid_request' },
  // What `-p` says of a reply that failed.
  { pattern: /^40[13]:? .*$/m, kind: 'auth' },
  { pattern: /^429:? .*$/m, kind: 'rate_limit' },
  { pattern: /^5\d\d:? .*$/m, kind: 'server' },
]
