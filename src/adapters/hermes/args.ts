import type { RunOptions } from '../../contract/run-options.ts'
import type { SpawnArgs } from '../../contract/spawn.ts'
import { refuseOptions, type UnsupportedOptions } from '../../core/unsupported.ts'
import { acpSpawnArgs } from '../families/acp/args.ts'
import { promptWithSystem } from '../kit/prompt.ts'
import { flag, spawnArgs } from '../kit/spawn-args.ts'
import { manifest } from './manifest.ts'
import { profile } from './profile.ts'

const UNSUPPORTED: UnsupportedOptions = {
  mcpServers: 'One-shot runs take those of config.yaml only; a live run takes others.',
  attachments: 'Name the files in the prompt.',
}

/** One turn of its own stream: the prompt by stdin, records out. */
function chatArgs(options: RunOptions): SpawnArgs {
  refuseOptions('hermes', options, UNSUPPORTED)
  const { model, sessionId, maxTurns, thinkingEffort, approvalMode } = options
  return spawnArgs(options, {
    command: manifest.cliCommand,
    args: [
      'chat',
      '--query-file',
      '-',
      '--format',
      'stream-json',
      ...flag('--model', model),
      ...flag('--resume', sessionId),
      ...flag('--max-turns', maxTurns),
      ...flag('--reasoning', thinkingEffort),
      ...(approvalMode === 'yolo' ? ['--yolo'] : []),
    ],
    stdin: promptWithSystem(options),
  })
}

const acpArgs = acpSpawnArgs(manifest, profile)

export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  return options.nonInteractive ? chatArgs(options) : acpArgs(options)
}
