import { CapabilityError } from '../../contract/errors.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import type { SpawnArgs } from '../../contract/spawn.ts'
import { refuseOptions, type UnsupportedOptions } from '../../core/unsupported.ts'
import { acpSpawnArgs } from '../families/acp/args.ts'
import { positionalPrompt } from '../kit/one-way.ts'
import { promptWithSystem } from '../kit/prompt.ts'
import { flag, spawnArgs } from '../kit/spawn-args.ts'
import { manifest } from './manifest.ts'
import { profile } from './profile.ts'

const UNSUPPORTED: UnsupportedOptions = {
  mcpServers: 'One-shot runs take those of mcp.json only; a live run takes others.',
  attachments: 'Name the files in the prompt.',
}

/** Without `--force` it proposes edits and refuses commands. */
function approvalFlags({ approvalMode = 'prompt' }: RunOptions): string[] {
  if (approvalMode === 'accept-edits') throw new CapabilityError('cursor', 'approvalMode accept-edits, one-shot')
  return approvalMode === 'yolo' ? ['--force'] : []
}

/** One turn of its own stream. The prompt is the last word: stdin is only added to it. */
function printArgs(options: RunOptions): SpawnArgs {
  refuseOptions('cursor', options, UNSUPPORTED)
  const { model, sessionId } = options
  return spawnArgs(options, {
    command: manifest.cliCommand,
    args: [
      '--print',
      '--output-format',
      'stream-json',
      '--stream-partial-output',
      '--trust',
      ...approvalFlags(options),
      ...flag('--model', model),
      ...flag('--resume', sessionId),
      positionalPrompt(promptWithSystem(options)),
    ],
    stdin: '',
  })
}

const acpArgs = acpSpawnArgs(manifest, profile)

export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  return options.nonInteractive ? printArgs(options) : acpArgs(options)
}
