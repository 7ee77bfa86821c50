import { isAbsolute, resolve } from 'node:path'
import { CapabilityError, type FieldError, ValidationError } from '../../contract/errors.ts'
import type { McpServerConfig, RunOptions } from '../../contract/run-options.ts'
import { isImage } from '../../core/attachments.ts'
import { refuseSse } from '../../core/unsupported.ts'
import { continuesSession } from '../kit/continues-session.ts'
import { manifest } from './manifest.ts'

/** Refuses what neither form of the CLI can honour. */
export function refuseUnsupported(options: RunOptions): void {
  if (options.attachments?.some((attachment) => !isImage(attachment))) {
    const hint = 'Codex takes images only; name other files in the prompt.'
    throw new CapabilityError('codex', 'file attachments', { hint })
  }
  refuseSse('codex', options)
}

const SERVER_NAME = /^[A-Za-z0-9_-]+$/

export function validate({ mcpServers = [] }: RunOptions): void {
  const message = 'codex takes letters, digits, - and _ in the name of an MCP server'
  const fields = mcpServers
    .filter(({ name }) => !SERVER_NAME.test(name))
    .map(({ name }): FieldError => ({ field: 'mcpServers', message, received: name, expected: String(SERVER_NAME) }))
  if (fields.length > 0) throw new ValidationError(fields)
}

const LONGEST_ARGUMENT = 8192

export function hasSecrets(server: McpServerConfig): boolean {
  return Object.keys('command' in server ? (server.env ?? {}) : (server.headers ?? {})).length > 0
}

/**
 * Whether a one-shot run can use `codex exec`. It cannot where exec would be dishonest or leave traces: its usage on
 * resume and fork counts the whole thread; a sandbox wider than read-only makes it write to the user's config; and
 * secrets of MCP servers would are on its command line. Then the app server does the one turn.
 */
export function usesExec(options: RunOptions): boolean {
  return (
    options.nonInteractive === true &&
    !continuesSession(options) &&
    options.approvalMode !== 'accept-edits' &&
    options.approvalMode !== 'yolo' &&
    !options.attachments?.length &&
    !options.mcpServers?.some(hasSecrets) &&
    (options.systemPrompt?.length ?? 0) < LONGEST_ARGUMENT
  )
}

/** Nobody is there to ask, or asking is not wanted: what the agent asks for is declined at once. */
export function declinesRequests(options: RunOptions): boolean {
  return options.nonInteractive === true || options.approvalMode === 'deny'
}

/** The levels that the model is known to have end the choice; an unknown model gets the level as it is. */
export function effortFor(options: RunOptions, model: string | undefined): string | undefined {
  const wanted = options.thinkingEffort
  if (wanted === undefined) return undefined
  const levels = manifest.models.find((known) => known.modelId === model)?.thinkingEffortLevels
  return levels === undefined || levels.includes(wanted) ? wanted : levels.at(-1)
}

export function absoluteDirs(options: RunOptions): string[] {
  return (options.addDirs ?? []).map((dir) => (isAbsolute(dir) ? dir : resolve(options.cwd ?? '.', dir)))
}
