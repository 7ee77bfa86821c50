import type { ApprovalMode, RunOptions } from '../../contract/run-options.ts'
import type { SpawnArgs } from '../../contract/spawn.ts'
import { refuseOptions, type UnsupportedOptions } from '../../core/unsupported.ts'
import { acpSpawnArgs } from '../families/acp/args.ts'
import { joinPrompt } from '../kit/prompt.ts'
import { flag, spawnArgs } from '../kit/spawn-args.ts'
import { manifest } from './manifest.ts'
import { profile } from './profile.ts'

const UNSUPPORTED: UnsupportedOptions = {
  mcpServers: 'One-shot runs take none; a live run does.',
  attachments: 'Name the files in the prompt.',
}

/** Its own stream has nobody to ask, so it is used only where nothing is asked. */
export function usesStream({ nonInteractive, approvalMode }: RunOptions): boolean {
  return nonInteractive === true && (approvalMode === 'yolo' || approvalMode === 'deny')
}

function runArgs(options: RunOptions): SpawnArgs {
  refuseOptions('goose', options, UNSUPPORTED)
  const { sessionId, model, maxTurns, systemPrompt, approvalMode } = options
  return spawnArgs(options, {
    command: manifest.cliCommand,
    args: [
      'run',
      '--instructions',
      '-',
      '--output-format',
      'stream-json',
      '--quiet',
      ...flag('--model', model),
      ...flag('--system', systemPrompt),
      ...flag('--max-turns', maxTurns),
      ...(sessionId === undefined ? [] : ['--resume', '--session-id', sessionId]),
    ],
    env: { GOOSE_MODE: approvalMode === 'deny' ? 'chat' : 'auto' },
    stdin: joinPrompt(options.prompt),
  })
}

const acpArgs = acpSpawnArgs(manifest, profile)

/**
 * Always passed, because its own default has changed: in `auto` it asks nothing, so that nothing could be refused.
 */
const APPROVAL_MODES: Record<ApprovalMode, string> = {
  prompt: 'approve',
  'accept-edits': 'approve',
  yolo: 'auto',
  deny: 'approve',
}

export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  if (usesStream(options)) return runArgs(options)
  const spawn = acpArgs(options)
  return { ...spawn, env: { GOOSE_MODE: APPROVAL_MODES[options.approvalMode ?? 'prompt'], ...spawn.env } }
}
