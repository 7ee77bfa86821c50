import { usageError } from '../command.ts'

/** The session that a command is about, and the words after it. */
export function sessionArgument(args: readonly string[], usage: string): { id: string; rest: readonly string[] } {
  const [id, ...rest] = args
  if (id === undefined) throw usageError(`Which session? amux ${usage}`, '`amux ls` lists them.')
  return { id, rest }
}
