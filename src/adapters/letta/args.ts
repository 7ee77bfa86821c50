import type { ApprovalMode, RunOptions } from '../../contract/run-options.ts'
import type { SpawnArgs } from '../../contract/spawn.ts'
import { promptWithSystem } from '../kit/prompt.ts'
import { flag, spawnArgs } from '../kit/spawn-args.ts'
import { manifest } from './manifest.ts'

/** In `standard` it asks; for `deny` the answer is no, and nobody is asked. */
const APPROVAL_MODES: Record<ApprovalMode, string> = {
  prompt: 'standard',
  'accept-edits': 'acceptEdits',
  yolo: 'unrestricted',
  deny: 'standard',
}

/** The live form speaks stream-json both ways; a one-shot run reads its prompt from stdin. */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  const { sessionId, model, maxTurns, approvalMode = 'prompt', allowedTools, disallowedTools } = options
  const oneShot = options.nonInteractive === true
  return spawnArgs(options, {
    command: manifest.cliCommand,
    args: [
      '--prompt',
      '--output-format',
      'stream-json',
      ...(oneShot ? [] : ['--input-format', 'stream-json']),
      '--permission-mode',
      APPROVAL_MODES[approvalMode],
      ...(sessionId === undefined ? ['--new'] : ['--conversation', sessionId]),
      ...flag('--model', model),
      ...flag('--max-turns', maxTurns),
      ...flag('--allowedTools', allowedTools?.join(',')),
      ...flag('--disallowedTools', disallowedTools?.join(',')),
    ],
    env: { DISABLE_AUTOUPDATER: '1', LETTA_CODE_TELEM: '0' },
    stdin: oneShot ? promptWithSystem(options) : undefined,
  })
}
