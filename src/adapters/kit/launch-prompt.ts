import type { RunOptions } from '../../contract/run-options.ts'
import type { RunFile } from '../../contract/spawn.ts'
import type { LaunchPlan } from '../../contract/terminal.ts'
import { joinPrompt } from './prompt.ts'

/** Command lines are short on some systems, and everybody on the machine can read them. */
const MAX_ARGUMENT_BYTES = 8 * 1024

export interface LaunchPrompt {
  delivery: LaunchPlan['promptDelivery']
  /** Empty without a prompt, and where it is typed. */
  args: string[]
  typed?: string
  files: RunFile[]
}

/**
 * The first prompt of a terminal: as it is, or as the name of a file that holds it. Typed, for a screen that takes none on
 * its command line, or none for a session that goes on.
 */
export function launchPrompt(options: RunOptions, isTyped = false): LaunchPrompt {
  const text = joinPrompt(options.prompt)
  if (text.trim() === '') return { delivery: 'none', args: [], files: [] }
  if (isTyped) return { delivery: 'typed', args: [], files: [], typed: text }
  if (Buffer.byteLength(text) <= MAX_ARGUMENT_BYTES) return { delivery: 'argument', args: [text], files: [] }
  const files = [{ name: 'prompt.md', content: text }]
  return { delivery: 'file', args: ['Your task is in the file {file:prompt.md}: read all of it, then do it.'], files }
}

/** For a CLI that takes its prompt behind `--`, where whatever it begins with is a prompt. */
export function afterDashes(args: readonly string[]): string[] {
  return args.length === 0 ? [] : ['--', ...args]
}
