import type { Attachment, McpServerConfig, RunOptions } from '../../contract/run-options.ts'
import { asRecord, type JsonRecord } from '../../core/json.ts'
import { absoluteDirs, effortFor, systemPromptPlace } from './options.ts'

/** Which request opens the thread of this run, and with what. */
export function openThread(options: RunOptions): { method: string; params: JsonRecord } {
  const place = systemPromptPlace(options)
  const params: JsonRecord = {
    cwd: options.cwd,
    model: options.model,
    approvalPolicy: options.approvalMode === 'yolo' ? 'never' : 'on-request',
    // Never wider than this here: a wider sandbox makes codex write to the user's config. Turns widen it, see below.
    sandbox: (options.approvalMode ?? 'prompt') === 'prompt' ? undefined : 'read-only',
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

/** Over stdin, so secrets in `env` and headers may stand here. */
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
  const isOld = options.sessionId !== undefined || options.forkSessionId !== undefined
  return isOld && (options.approvalMode ?? 'prompt') === 'prompt' && asRecord(sandbox)?.type === 'dangerFullAccess'
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

function imageInput({ filePath, url, base64, mimeType }: Attachment): JsonRecord {
  if (filePath !== undefined) return { type: 'localImage', path: filePath }
  return { type: 'image', url: url ?? `data:${mimeType ?? 'image/png'};base64,${base64 ?? ''}` }
}

export function textInput(text: string): JsonRecord {
  return { type: 'text', text, text_elements: [] }
}

/** `model` is what the thread uses, `chosen` what the caller has set since. */
export function turnParams(
  options: RunOptions,
  turn: { threadId: string; text: string; model?: string; chosen?: string; first: boolean; narrow: boolean },
): JsonRecord {
  const images = turn.first ? (options.attachments ?? []).map(imageInput) : []
  return {
    threadId: turn.threadId,
    input: [textInput(turn.text), ...images],
    model: turn.chosen,
    effort: effortFor(options, turn.chosen ?? turn.model),
    sandboxPolicy: sandboxPolicy(options, turn.narrow),
    outputSchema: options.outputSchema,
  }
}
