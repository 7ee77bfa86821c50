import { ValidationError } from '../../contract/errors.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import type { SpawnArgs } from '../../contract/spawn.ts'
import { splitCommandLine } from '../../core/command-line.ts'
import { spawnArgs } from '../kit/spawn-args.ts'
import { REMOTE_COMMAND } from './options.ts'

/** How to get to the other agent-mux, up to and including its `amux`. No shell of ours ever sees it. */
function commandWords({ env = {} }: RunOptions): [string, ...string[]] {
  const line = env[REMOTE_COMMAND] ?? 'amux'
  const [command, ...args] = splitCommandLine(line) ?? []
  if (command) return [command, ...args]
  const expected = 'a command that leads to an amux, such as "ssh -T build-box amux"'
  throw new ValidationError([
    { field: `env.${REMOTE_COMMAND}`, message: `must be ${expected}`, received: line, expected },
  ])
}

/** Options, prompt and secrets go by stdin: a command line can be read by others, and by a shell on the way. */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  const [command, ...args] = commandWords(options)
  return spawnArgs(options, { command, args: [...args, 'run', '--json', '--stdio'] })
}
