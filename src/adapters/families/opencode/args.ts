import type { EndpointPlan } from '../../../contract/adapter.ts'
import { CapabilityError } from '../../../contract/errors.ts'
import type { EndpointOverride, RunOptions } from '../../../contract/run-options.ts'
import type { RunFile, SpawnArgs } from '../../../contract/spawn.ts'
import { joinPrompt } from '../../kit/prompt.ts'
import { joinedFlag, spawnArgs } from '../../kit/spawn-args.ts'
import { configEnv, endpointConfig, nativeModel } from './config.ts'
import type { OpencodeDialect } from './dialect.ts'

function attachmentFlags({ agent }: OpencodeDialect, { attachments = [] }: RunOptions): string[] {
  return attachments.map(({ filePath }) => {
    if (filePath !== undefined) return `--file=${filePath}`
    throw new CapabilityError(agent, 'attachments that are not files, in a one-shot run', { hint: 'Write a file.' })
  })
}

export function sessionFlags({ sessionId, forkSessionId }: RunOptions): string[] {
  if (forkSessionId !== undefined) return [`--session=${forkSessionId}`, '--fork']
  return joinedFlag('--session', sessionId)
}

function runFlags(dialect: OpencodeDialect, options: RunOptions): string[] {
  const model = nativeModel(options, options.model)
  const flags = ['--format=json', '--thinking']
  if (model !== undefined) flags.push(`--model=${model}`)
  if (options.thinkingEffort !== undefined) flags.push(`--variant=${options.thinkingEffort}`)
  if (options.approvalMode === 'yolo') flags.push('--auto')
  return [...flags, ...sessionFlags(options), ...attachmentFlags(dialect, options)]
}

/** The causes of errors are only in the log, and so are the tries before the last one. */
export const LOG_FLAGS = ['--print-logs', '--log-level=ERROR']

/** What all forms of the agent are started with. */
export function spawnPlan(dialect: OpencodeDialect, options: RunOptions, args: string[]): SpawnArgs {
  const files: RunFile[] = []
  const env = configEnv(dialect, options, files)
  return spawnArgs(options, { command: dialect.command, args: [...args, ...LOG_FLAGS], env, files })
}

/** The one-shot form. The prompt goes by stdin: as an argument it would reach the model in quotation marks. */
export function runSpawnArgs(dialect: OpencodeDialect, options: RunOptions): SpawnArgs {
  const plan = spawnPlan(dialect, options, ['run', ...runFlags(dialect, options)])
  return { ...plan, stdin: joinPrompt(options.prompt), closeStdinAfterSpawn: true }
}

export function opencodeEndpoint(dialect: OpencodeDialect, endpoint: EndpointOverride): EndpointPlan {
  const config = JSON.stringify(endpointConfig(dialect, endpoint))
  const env = { ...dialect.env, ...dialect.endpointEnv, [`${dialect.envPrefix}_CONFIG_CONTENT`]: config }
  return { env, args: [], files: [] }
}
