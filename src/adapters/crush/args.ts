import type { RunOptions } from '../../contract/run-options.ts'
import type { SpawnArgs } from '../../contract/spawn.ts'
import { refuseOptions } from '../../core/unsupported.ts'
import { promptWithSystem } from '../kit/prompt.ts'
import { flag, SILENCE_LIMIT_MS, spawnArgs } from '../kit/spawn-args.ts'
import { manifest } from './manifest.ts'

/** One turn: the prompt by stdin, text out. */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  refuseOptions('crush', options, { maxTurns: '' })
  const { sessionId, model } = options
  return spawnArgs(options, {
    command: manifest.cliCommand,
    args: ['run', '--quiet', ...flag('--model', model), ...flag('--session', sessionId)],
    env: { CRUSH_DISABLE_METRICS: '1', CRUSH_DISABLE_PROVIDER_AUTO_UPDATE: '1' },
    stdin: promptWithSystem(options),
    // Nothing in its text says that the answer is whole, so one that hangs after it is ended by its silence.
    inactivityTimeout: SILENCE_LIMIT_MS,
  })
}
