import type { StreamSource } from './events.ts'
import type { AgentName } from './names.ts'
import type { OutputFormat } from './run-options.ts'
import type { StreamAssembler } from './stream-assembler.ts'

/** A file that has to exist before the agent starts (an MCP config, a schema); removed after the run. */
export interface RunFile {
  /** Referred to in `args` and `env` as `{file:<name>}`. May be in a directory, which can be referred to in the same way. */
  name: string
  content: string
  /** Makes it a symbolic link to this path, in place of the content. */
  link?: string
  /** The link is to a directory, which is made where there is none. */
  makesDirectory?: boolean
}

/**
 * A file of the agent's own that it can lose while it works on it. It gets a copy to work on, which takes the place of
 * the original when the run is over. Should nobody live to see to that, the copy stays, and the agent reads it as well.
 */
export interface WorkingCopy {
  original: string
  copy: string
  litter: Litter
}

/**
 * What the agent leaves behind, and would later delete the original for: in files beside the original that end alike,
 * or at the end of the original itself, lines from one that begins with `opening` on, without any of `content`.
 */
export interface Litter {
  fileNameEnd: string
  opening: string
  content: readonly string[]
}

/** A log that the agent keeps in a file, for what it says nowhere else. Its lines are read as those of stderr. */
export interface LogFile {
  /**
   * In the notation of a manifest (`~/.foo/log`), or below `{file:<name>}`. `{session}` stands for the id of the session,
   * and `*` for any part of the name of a file or folder. What was in it before the run is not read.
   */
  path: string
  /** A regular expression: other lines do not count. */
  lines: string
  /** The agent makes it only for us: it is removed after the run, unless it was there before. */
  isOurs?: boolean
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
  /**
   * Starts the program in a pseudo terminal, which needs the optional package `@lydell/node-pty`. Its stderr is then part
   * of stdout, and the terminal echoes what is written to it unless the program turns that off.
   */
  usePty: boolean
  /** Written after spawn. Undefined leaves stdin open for `RunHandle.send()`. */
  stdin?: string
  closeStdinAfterSpawn?: boolean
  timeout?: number
  inactivityTimeout?: number
  shell?: boolean
  files?: RunFile[]
  workingCopy?: WorkingCopy
  logFile?: LogFile
  /**
   * A store of this run only, below `{file:<name>}`, where `*` stands for any part of the name of a file or folder. What
   * the agent has used is read there, in place of the store that its manifest names.
   */
  usageStore?: string
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
