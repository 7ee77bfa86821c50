import type { McpServerConfig, RunOptions } from '../../contract/run-options.ts'
import { asRecord, type JsonRecord } from '../../core/json.ts'
import { continuesSession } from '../kit/continues-session.ts'
import { absoluteDirs, effortFor } from './options.ts'
import { imageInput, systemPromptPlace, textInput } from './prompt.ts'
import type { DialogueState } from './state.ts'

/** Which request opens the thread of this run, and with what. */
export function openThread(options: RunOptions): { method: string; params: JsonRecord } {
  const place = systemPromptPlace(options)
  const params: JsonRecord = {
    cwd: options.cwd,
    model: options.model,
    approvalPolicy: approvalPolicy(options),
    // Never wider than this here: a wider sandbox makes codex write to the user's config. Turns widen it, see below.
    sandbox: isPlainPrompt(options) ? undefined : 'read-only',
    developerInstructions: place === 'developer' ? options.systemPrompt : undefined,
    baseInstructions: place === 'base' ? options.systemPrompt : undefined,
    config: options.mcpServers?.length ? { mcp_servers: serversOf(options.mcpServers) } : undefined,
  }
  if (options.sessionId !== undefined) {
    return { method: 'thread/resume', params: { threadId: options.sessionId, ...params, excludeTurns: true } }
  }
  if (options.forkSessionId !== undefined) {
    return { method: 'thread/fork', params: { threadId: options.forkSessionId, ...params, excludeTurns: true } }
  }
  return { method: 'thread/start', params: { ...params, ephemeral: options.noSession } }
}

/** With a policy it has to ask before each command that it does not itself know to be harmless, not only to leave the sandbox. */
function approvalPolicy({ approvalMode, policy }: RunOptions): string {
  if (approvalMode === 'yolo') return 'never'
  return policy === undefined ? 'on-request' : 'untrusted'
}

function isPlainPrompt({ approvalMode = 'prompt', policy }: RunOptions): boolean {
  return approvalMode === 'prompt' && policy === undefined
}

/** Over stdin, so secrets in `env` and headers may be here. */
function serversOf(servers: readonly McpServerConfig[]): JsonRecord {
  const entries = servers.map((server): [string, JsonRecord] => [
    server.name,
    'command' in server
      ? { command: server.command, args: server.args ?? [], env: server.env }
      : { url: server.url, http_headers: server.headers },
  ])
  return Object.fromEntries(entries)
}

/** A resumed thread keeps the sandbox of its last turn. Without one, a run that did not ask for that gets one again. */
export function mustNarrow(options: RunOptions, sandbox: unknown): boolean {
  const isDefault = (options.approvalMode ?? 'prompt') === 'prompt'
  return continuesSession(options) && isDefault && asRecord(sandbox)?.type === 'dangerFullAccess'
}

function sandboxPolicy(options: RunOptions, narrow: boolean): JsonRecord | undefined {
  if (narrow) return { type: 'readOnly', networkAccess: false }
  if (options.approvalMode === 'yolo') return { type: 'dangerFullAccess' }
  if (options.approvalMode !== 'accept-edits') return undefined
  return {
    type: 'workspaceWrite',
    writableRoots: absoluteDirs(options),
    networkAccess: false,
    excludeTmpdirEnvVar: false,
    excludeSlashTmp: false,
  }
}

export function turnParams(state: DialogueState, threadId: string, text: string): JsonRecord {
  const { options, chosenModel } = state
  const images = state.isFirstTurn ? (options.attachments ?? []).map(imageInput) : []
  return {
    threadId,
    input: [textInput(text), ...images],
    model: chosenModel,
    effort: effortFor(options, chosenModel ?? state.model),
    sandboxPolicy: sandboxPolicy(options, state.narrow),
    outputSchema: options.outputSchema,
  }
}
