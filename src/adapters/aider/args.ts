import type { ApprovalMode, RunOptions } from '../../contract/run-options.ts'
import type { SpawnArgs } from '../../contract/spawn.ts'
import { refuseOptions } from '../../core/unsupported.ts'
import { promptWithSystem } from '../kit/prompt.ts'
import { flag, SILENCE_LIMIT_MS, spawnArgs } from '../kit/spawn-args.ts'
import { manifest } from './manifest.ts'

const APPROVAL_FLAGS: Record<ApprovalMode, string[]> = {
  prompt: [],
  'accept-edits': [],
  yolo: ['--yes-always'],
  deny: ['--dry-run'],
}

/** One message from a file, then it ends. Its stdin is closed, so that nothing it asks is answered with yes. */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  refuseOptions('aider', options, { maxTurns: '' })
  const { model, thinkingEffort, thinkingBudgetTokens } = options
  return spawnArgs(options, {
    command: manifest.cliCommand,
    args: [
      '--message-file',
      '{file:prompt.txt}',
      '--no-pretty',
      '--no-stream',
      '--no-fancy-input',
      '--no-check-update',
      '--no-show-release-notes',
      '--no-show-model-warnings',
      '--no-analytics',
      ...APPROVAL_FLAGS[options.approvalMode ?? 'prompt'],
      ...flag('--model', model),
      ...flag('--reasoning-effort', thinkingEffort),
      ...flag('--thinking-tokens', thinkingBudgetTokens),
    ],
    stdin: '',
    // Nothing in its text says that the answer is whole, so one that hangs after it is ended by its silence.
    inactivityTimeout: SILENCE_LIMIT_MS,
    files: [{ name: 'prompt.txt', content: promptWithSystem(options) }],
  })
}
