import { CapabilityError } from '../../contract/errors.ts'
import type { ApprovalMode, RunOptions } from '../../contract/run-options.ts'
import type { RunFile, SpawnArgs } from '../../contract/spawn.ts'
import { acpSpawnArgs } from '../families/acp/args.ts'
import { sessionFlags } from '../families/claude-stream/flags.ts'
import { addMcpFile } from '../kit/mcp-file.ts'
import { promptWithMentions } from '../kit/mention.ts'
import { joinedFlag, joinedFlags, spawnArgs } from '../kit/spawn-args.ts'
import { manifest } from './manifest.ts'
import { profile } from './profile.ts'

const APPROVAL_MODES: Partial<Record<ApprovalMode, string>> = {
  prompt: 'default',
  'accept-edits': 'accept_edits',
  yolo: 'bypass_permissions',
  deny: 'dont_ask',
}

function systemPromptFlags({ systemPrompt, systemPromptMode }: RunOptions): string[] {
  if (systemPrompt === undefined) return []
  if (systemPromptMode === 'prepend') throw new CapabilityError('qoder', 'systemPromptMode prepend')
  return [`${systemPromptMode === 'replace' ? '--system-prompt' : '--append-system-prompt'}=${systemPrompt}`]
}

/** One turn of its own stream: the prompt by stdin, records out. */
function printArgs(options: RunOptions): SpawnArgs {
  const files: RunFile[] = []
  const mcpFile = addMcpFile(files, options.mcpServers)
  const { model, addDirs, approvalMode = 'prompt' } = options
  return spawnArgs(options, {
    command: manifest.cliCommand,
    args: [
      '--print',
      '--output-format=stream-json',
      `--permission-mode=${APPROVAL_MODES[approvalMode]}`,
      ...joinedFlag('--model', model),
      ...joinedFlags('--add-dir', addDirs),
      ...sessionFlags(options),
      ...systemPromptFlags(options),
      ...(mcpFile === null ? [] : [`--mcp-config=${mcpFile}`]),
    ],
    stdin: promptWithMentions('qoder', options),
    files,
  })
}

const acpArgs = acpSpawnArgs(manifest, profile)

export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  return options.nonInteractive ? printArgs(options) : acpArgs(options)
}
