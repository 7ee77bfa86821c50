import type { Sign } from './activity.ts'
import type { RunFile, WorkingCopy } from './spawn.ts'

/** How to start an agent's own screen in a terminal. As in `SpawnArgs`, `{file:<name>}` stands for a file. */
export interface LaunchPlan {
  args: string[]
  /** What has to come last: the prompt. */
  promptArgs: string[]
  /** Set on top of the allow-listed environment. */
  env: Record<string, string>
  files: RunFile[]
  /** As in `SpawnArgs`. */
  workingCopy?: WorkingCopy
  /**
   * `argument`: on the command line. `file`: it is long, and the command line points to it. `typed`: the agent takes none
   * when it starts. `none`: there is none.
   */
  promptDelivery: 'argument' | 'file' | 'typed' | 'none'
  /** The prompt to type when the agent waits for one, where it is `typed`. */
  typedPrompt?: string
  keys: TerminalKeys
  /** Questions at the start that starting the session has answered. Each is answered once. */
  answers?: readonly StartAnswer[]
}

export interface StartAnswer {
  /** A line of the question. */
  shows: RegExp
  /** One after another. */
  press: readonly string[]
}

/** What to press in the agent's own screen. */
export interface TerminalKeys {
  /** Stops the turn, and leaves the agent running. Pressed one after another. */
  interrupt: readonly string[]
  /** Sends what was typed. */
  submit: string
  /** Removes what is typed but not sent. */
  clear?: string
  /** Answers a permission dialog, by keys that mean one choice wherever its cursor is. Without: only who sees it can. */
  decide?: { approve: readonly string[]; deny: readonly string[] }
  /** What the line begins with in which the agent takes input. A pattern where that depends on its mode. */
  inputMark?: string | RegExp
  /** In place of a mark: the last two lines like this are above and below what is typed. */
  inputFrame?: RegExp
}

/** What a screen says. */
export interface ScreenSign extends Sign {
  /** It means this only when it does not change: the agent shows the same while it writes. */
  ifStill?: true
}
