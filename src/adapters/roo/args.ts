import type { RunOptions } from '../../contract/run-options.ts'
import type { SpawnArgs } from '../../contract/spawn.ts'
import { promptWithSystem } from '../kit/prompt.ts'
import { flag, spawnArgs } from '../kit/spawn-args.ts'
import { manifest } from './manifest.ts'

/** One task: the prompt from a file, records out. */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  const { model, thinkingEffort, noSession } = options
  return spawnArgs(options, {
    command: manifest.cliCommand,
    args: [
      '--print',
      '--output-format',
      'stream-json',
      '--exit-on-error',
      '--prompt-file',
      '{file:prompt.txt}',
      ...flag('--model', model),
      ...flag('--reasoning-effort', thinkingEffort),
      ...(noSession ? ['--ephemeral'] : []),
    ],
    stdin: '',
    files: [{ name: 'prompt.txt', content: promptWithSystem(options) }],
  })
}
