import type { RunOptions } from '../../contract/run-options.ts'
import type { RunFile, SpawnArgs } from '../../contract/spawn.ts'
import { jsonLine } from '../../core/json-line.ts'
import { promptWithSystem } from '../kit/prompt.ts'
import { flag, spawnArgs } from '../kit/spawn-args.ts'
import { manifest } from './manifest.ts'

/** How a prompt goes in. */
export function userRecord(content: string): object {
  return { event: 'user', message: { content } }
}

function schemaFlags({ outputSchema }: RunOptions, files: RunFile[]): string[] {
  if (outputSchema === undefined) return []
  files.push({ name: 'schema.json', content: JSON.stringify(outputSchema) })
  return ['--json-schema', '{file:schema.json}']
}

/** Prompts go in as records, and records come out; one-shot, stdin is closed after the first. */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  const files: RunFile[] = []
  const { model, sessionId, thinkingEffort, approvalMode, timeout } = options
  return spawnArgs(options, {
    command: manifest.cliCommand,
    args: [
      '--input-format',
      'stream-json',
      '--output-format',
      'stream-json',
      ...flag('--model', model),
      ...flag('--effort', thinkingEffort),
      ...flag('--conversation', sessionId),
      ...(approvalMode === 'yolo' ? ['--dangerously-skip-permissions'] : []),
      ...(timeout === undefined ? [] : ['--print-timeout', `${Math.ceil(timeout / 1000)}s`]),
      ...schemaFlags(options, files),
    ],
    stdin: options.nonInteractive ? `${jsonLine(userRecord(promptWithSystem(options)))}\n` : undefined,
    files,
  })
}
