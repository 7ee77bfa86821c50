import type { RunFile } from './spawn.ts'

/** How to start an agent's own screen in a terminal. As in `SpawnArgs`, `{file:<name>}` stands for a file. */
export interface LaunchPlan {
  args: string[]
  /** What has to stand last: the prompt. */
  promptArgs: string[]
  /** Set on top of the allow-listed environment. */
  env: Record<string, string>
  files: RunFile[]
  /** `argument`: on the command line. `file`: it is long, and the command line points to it. `none`: there is none. */
  promptDelivery: 'argument' | 'file' | 'none'
  keys: TerminalKeys
}

/** What to press in the agent's own screen. */
export interface TerminalKeys {
  /** Stops the turn, and leaves the agent running. */
  interrupt: string
  /** Sends what was typed. */
  submit: string
  /** What the line begins with in which the agent takes input. */
  inputMark?: string
}
