import type { RunOptions } from '../../contract/run-options.ts'
import type { LogFile, RunFile, SpawnArgs, WorkingCopy } from '../../contract/spawn.ts'

/** What is particular to one agent in the start of its process. */
interface Launch {
  command: string
  args: string[]
  /** Below the variables of the caller. */
  env?: Readonly<Record<string, string>>
  /** Written at once, after which stdin is closed. Without it stdin stays open for the dialogue. */
  stdin?: string
  files?: RunFile[]
  workingCopy?: WorkingCopy
  logFile?: LogFile
  usageStore?: string
  /** For agents that are known to hang; the caller's own limit wins. */
  inactivityTimeout?: number
}

/** How long an agent that can hang without a word is given. */
export const SILENCE_LIMIT_MS = 600_000

export function spawnArgs(options: RunOptions, launch: Launch): SpawnArgs {
  const { command, args, env, stdin, files = [], workingCopy, logFile, usageStore, inactivityTimeout } = launch
  return {
    command,
    args,
    env: { ...env, ...options.env },
    cwd: options.cwd ?? process.cwd(),
    usePty: false,
    ...(stdin === undefined ? {} : { stdin, closeStdinAfterSpawn: true }),
    timeout: options.timeout,
    inactivityTimeout: options.inactivityTimeout ?? inactivityTimeout,
    files,
    workingCopy,
    logFile,
    usageStore,
  }
}

/** A flag and its value as two words; nothing without a value. */
export function flag(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [name, String(value)]
}

/** A flag and its value as one word, so that a value that begins with a dash stays a value. */
export function joinedFlag(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`${name}=${value}`]
}

/** The same flag once for each value. */
export function joinedFlags(name: string, values: readonly string[] = []): string[] {
  return values.map((value) => `${name}=${value}`)
}
