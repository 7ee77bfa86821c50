import type { StreamSource } from './events.ts'
import type { AgentName } from './names.ts'
import type { OutputFormat } from './run-options.ts'
import type { StreamAssembler } from './stream-assembler.ts'

/** A file that has to exist before the agent starts (an MCP config, a schema); removed after the run. */
export interface RunFile {
  /** Referred to in `args` and `env` as `{file:<name>}`. */
  name: string
  content: string
}

/** How to start one agent process. */
export interface SpawnArgs {
  command: string
  args: string[]
  /**
   * Set on top of the allow-listed environment; never the whole of `process.env`. The value `{secret}` is replaced by
   * random characters, made for this process: the password of an agent that is a server.
   */
  env: Record<string, string>
  cwd: string
  usePty: boolean
  /** Written after spawn. Undefined leaves stdin open for `RunHandle.send()`. */
  stdin?: string
  closeStdinAfterSpawn?: boolean
  timeout?: number
  inactivityTimeout?: number
  shell?: boolean
  files?: RunFile[]
}

/** What `parseEvent` may know and keep between lines of one run. */
export interface ParseContext {
  runId: string
  agent: AgentName
  sessionId: string | undefined
  turnIndex: number
  debug: boolean
  outputFormat: OutputFormat
  source: StreamSource
  assembler: StreamAssembler
  eventCount: number
  lastEventType: string | null
  adapterState: Record<string, unknown>
}
