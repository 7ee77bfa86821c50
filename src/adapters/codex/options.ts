import { isAbsolute, resolve } from 'node:path'
import { CapabilityError, ValidationError } from '../../contract/errors.ts'
import type { Attachment, McpServerConfig, RunOptions } from '../../contract/run-options.ts'
import { manifest } from './manifest.ts'

const LONGEST_ARGUMENT = 8192
const IMAGE_NAME = /\.(png|jpe?g|gif|webp)$/i
const SERVER_NAME = /^[A-Za-z0-9_-]+$/

function unsupported(capability: string, hint?: string): never {
  throw new CapabilityError('codex', capability, { hint })
}

/** Refuses what neither form of the CLI can honour. */
export function checkOptions(options: RunOptions): void {
  if (options.thinkingBudgetTokens !== undefined) unsupported('thinkingBudgetTokens', 'Use thinkingEffort.')
  if (options.thinkingOverride !== undefined) unsupported('thinkingOverride', 'Use thinkingEffort.')
  if (options.newSessionId !== undefined) unsupported('newSessionId', 'Codex chooses the id of a new session itself.')
  if (options.allowedTools?.length) unsupported('allowedTools')
  if (options.disallowedTools?.length) unsupported('disallowedTools')
  if (options.skills?.length) unsupported('skills')
  if (options.agentsDoc !== undefined) unsupported('agentsDoc', 'Write it to AGENTS.md, or pass it as systemPrompt.')
  for (const attachment of options.attachments ?? []) {
    if (!isImage(attachment))
      unsupported('file attachments', 'Codex takes images only; name other files in the prompt.')
  }
  for (const server of options.mcpServers ?? []) checkServer(server)
}

function isImage({ mimeType, filePath, url, name }: Attachment): boolean {
  return mimeType === undefined ? IMAGE_NAME.test(name ?? filePath ?? url ?? '') : mimeType.startsWith('image/')
}

function checkServer(server: McpServerConfig): void {
  if (server.transport === 'sse') unsupported(`the sse transport of MCP server ${server.name}`, 'Use streamable-http.')
  if (!SERVER_NAME.test(server.name)) {
    const message = 'codex takes letters, digits, - and _ in the name of an MCP server'
    throw new ValidationError([{ field: 'mcpServers', message, received: server.name, expected: String(SERVER_NAME) }])
  }
}

function hasSecrets(server: McpServerConfig): boolean {
  return Object.keys('command' in server ? (server.env ?? {}) : (server.headers ?? {})).length > 0
}

/**
 * Whether a one-shot run can use `codex exec`. It cannot where exec would be dishonest or leave traces: its usage on
 * resume and fork counts the whole thread; a sandbox wider than read-only makes it write to the user's config; and
 * secrets of MCP servers would stand on its command line. Then the app server does the one turn.
 */
export function usesExec(options: RunOptions): boolean {
  return (
    options.nonInteractive === true &&
    options.sessionId === undefined &&
    options.forkSessionId === undefined &&
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

const isOldThread = (options: RunOptions): boolean =>
  options.sessionId !== undefined || options.forkSessionId !== undefined

/** Where the system prompt goes. A thread that exists keeps its developer instructions, so there it precedes the prompt. */
export function systemPromptPlace(options: RunOptions): 'none' | 'developer' | 'base' | 'prompt' {
  if (!options.systemPrompt) return 'none'
  const mode = options.systemPromptMode ?? 'append'
  if (mode === 'replace') return 'base'
  return mode === 'prepend' || isOldThread(options) ? 'prompt' : 'developer'
}

export function firstPrompt(options: RunOptions): string {
  const prompt = Array.isArray(options.prompt) ? options.prompt.join('\n\n') : options.prompt
  if (systemPromptPlace(options) !== 'prompt') return prompt
  return `<system_instructions>\n${options.systemPrompt}\n</system_instructions>\n\n${prompt}`
}

const SAMPLING = ['temperature', 'topP', 'topK', 'maxTokens', 'maxOutputTokens'] as const

/** What is done otherwise than asked, each in a sentence. */
export function warnings(options: RunOptions): string[] {
  const ignored = SAMPLING.filter((name) => options[name] !== undefined)
  const found = ignored.length > 0 ? [`Codex has no setting for ${ignored.join(', ')}; ignored.`] : []
  if (systemPromptPlace(options) === 'prompt') {
    found.push('The system prompt is approximated by a marked block before the first prompt.')
  }
  return found
}
