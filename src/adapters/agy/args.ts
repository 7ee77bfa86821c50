import type { RunOptions } from '../../contract/run-options.ts'
import type { RunFile, SpawnArgs } from '../../contract/spawn.ts'
import { refuseOptions, type UnsupportedOptions } from '../../core/unsupported.ts'
import { userMessage } from './prompt.ts'

const UNSUPPORTED: UnsupportedOptions = {
  thinkingBudgetTokens: 'Use thinkingEffort.',
  thinkingOverride: 'Use thinkingEffort.',
  forkSessionId: '',
  newSessionId: '',
  noSession: '',
  maxTurns: '',
  addDirs: '',
  allowedTools: '',
  disallowedTools: '',
  mcpServers: '',
  skills: '',
  agentsDoc: 'Write it to AGENTS.md, or pass it as systemPrompt.',
  attachments: 'Name the files in the prompt.',
}

function schemaFlags({ outputSchema }: RunOptions, files: RunFile[]): string[] {
  if (outputSchema === undefined) return []
  files.push({ name: 'schema.json', content: JSON.stringify(outputSchema) })
  return ['--json-schema', '{file:schema.json}']
}

/** Prompts go in as records, and records come out; one-shot, stdin is closed after the first. */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  refuseOptions('agy', options, UNSUPPORTED)
  const files: RunFile[] = []
  const { model, sessionId, thinkingEffort, approvalMode, timeout, cwd = process.cwd(), env = {} } = options
  return {
    command: 'agy',
    args: [
      '--input-format',
      'stream-json',
      '--output-format',
      'stream-json',
      ...(model === undefined ? [] : ['--model', model]),
      ...(thinkingEffort === undefined ? [] : ['--effort', thinkingEffort]),
      ...(sessionId === undefined ? [] : ['--conversation', sessionId]),
      ...(approvalMode === 'yolo' ? ['--dangerously-skip-permissions'] : []),
      ...(timeout === undefined ? [] : ['--print-timeout', `${Math.ceil(timeout / 1000)}s`]),
      ...schemaFlags(options, files),
    ],
    env,
    cwd,
    usePty: false,
    ...(options.nonInteractive ? { stdin: `${userMessage(options)}\n`, closeStdinAfterSpawn: true } : {}),
    timeout,
    inactivityTimeout: options.inactivityTimeout,
    files,
  }
}
