import type { Effect } from '../../contract/dialogue.ts'
import { CapabilityError } from '../../contract/errors.ts'
import type { ApprovalMode, McpServerConfig, RunOptions } from '../../contract/run-options.ts'
import { isImage } from '../../core/attachments.ts'
import { writeLine } from '../../core/effects.ts'
import type { JsonRecord } from '../../core/json.ts'
import { sessionTitle } from '../../core/session-title.ts'
import { promptNamingFiles } from '../kit/mention.ts'
import { joinPrompt } from '../kit/prompt.ts'
import type { DialogueState, SentRequest } from './state.ts'

/** On every message. The CLI warns about another protocol version than its own and takes it. */
export const ENVELOPE = { jsonrpc: '2.0', factoryApiVersion: '1.0.0', factoryProtocolVersion: '1.220.0' } as const

export const RPC_ARGS = ['exec', '--input-format', 'stream-jsonrpc', '--output-format', 'stream-jsonrpc']

export function request(state: DialogueState, sent: SentRequest, method: string, params: JsonRecord): Effect {
  state.requestCount += 1
  const id = `amux-${state.requestCount}`
  state.sent.set(id, sent)
  return writeLine({ ...ENVELOPE, type: 'request', id, method: `droid.${method}`, params })
}

export function reply(id: string, result: JsonRecord): Effect {
  return writeLine({ ...ENVELOPE, type: 'response', id, result })
}

export function refuse(id: string, message: string): Effect {
  return writeLine({ ...ENVELOPE, type: 'response', id, error: { code: -32601, message } })
}

/** A model of the endpoint, which the CLI knows as one of the user's own. */
export function customModelId(model: string): string {
  return `custom:${model}`
}

/** Without a key the endpoint has no models: the CLI is to say that it may not use its own. */
export function modelId({ endpoint }: RunOptions, model: string): string {
  return endpoint?.apiKey ? customModelId(model) : model
}

const AUTONOMY: Record<ApprovalMode, string | undefined> = {
  prompt: undefined,
  'accept-edits': 'low',
  yolo: 'high',
  deny: 'off',
}

/** Nobody can be asked: the CLI refuses by itself what needs an approval. */
export function rejectsByItself({ approvalMode, nonInteractive }: RunOptions): boolean {
  return approvalMode === 'deny' || (nonInteractive === true && approvalMode !== 'yolo')
}

function mcpServer(server: McpServerConfig): JsonRecord {
  if ('command' in server) {
    return { name: server.name, command: server.command, args: server.args ?? [], env: server.env }
  }
  const headers = Object.entries(server.headers ?? {}).map(([name, value]) => ({ name, value }))
  return { type: server.transport === 'sse' ? 'sse' : 'http', name: server.name, url: server.url, headers }
}

/** What both a new session and one from disk get. */
function common(options: RunOptions): JsonRecord {
  const { mcpServers, allowedTools, disallowedTools } = options
  return {
    mcpServers: mcpServers?.length ? mcpServers.map(mcpServer) : undefined,
    autoRejectPermissionRequests: rejectsByItself(options) || undefined,
    enabledToolIds: allowedTools?.length ? allowedTools : undefined,
    disabledToolIds: disallowedTools?.length ? disallowedTools : undefined,
  }
}

export function initialize(state: DialogueState): Effect {
  const { options } = state
  const { model, approvalMode, mcpServers } = options
  return request(state, 'initialize', 'initialize_session', {
    ...common(options),
    machineId: 'agent-mux',
    cwd: options.cwd ?? '',
    sessionId: options.newSessionId,
    title: sessionTitle(joinPrompt(options.prompt)),
    modelId: (model ?? options.endpoint) ? modelId(options, model ?? state.defaultModel) : undefined,
    reasoningEffort: options.thinkingEffort,
    autonomyLevel: approvalMode && AUTONOMY[approvalMode],
    systemPrompt: options.systemPromptMode === 'replace' ? options.systemPrompt : undefined,
    blockOnMcpLoad: mcpServers?.length ? true : undefined,
  })
}

export function load(state: DialogueState, sent: SentRequest, sessionId: string): Effect {
  // One message is enough: nobody reads them.
  return request(state, sent, 'load_session', { ...common(state.options), sessionId, messageLimit: 1 })
}

/** What an existing session has of its own and this run wants otherwise; null when it wants nothing. */
export function settings(state: DialogueState): Effect | null {
  const { options } = state
  const { model, thinkingEffort, approvalMode, endpoint } = options
  const wanted = model ?? (endpoint && state.defaultModel)
  if (wanted === undefined && thinkingEffort === undefined && approvalMode === undefined) return null
  return request(state, 'settings', 'update_session_settings', {
    modelId: wanted === undefined ? undefined : modelId(options, wanted),
    reasoningEffort: thinkingEffort,
    // Asked for by name, it must not run on what an earlier run was allowed.
    autonomyLevel: approvalMode && (AUTONOMY[approvalMode] ?? 'off'),
  })
}

/** As the CLI takes them with a message: paths, or the data itself. */
export function images({ attachments = [] }: RunOptions): JsonRecord {
  const paths: string[] = []
  const inline: JsonRecord[] = []
  for (const attachment of attachments) {
    const { filePath, base64, mimeType = '' } = attachment
    if (filePath !== undefined && isImage(attachment)) paths.push(filePath)
    else if (base64 !== undefined && isImage(attachment)) {
      inline.push({ type: 'base64', mediaType: mimeType, data: base64 })
    } else if (filePath === undefined) {
      throw new CapabilityError('droid', 'attachments by url, or of another type than images', {
        hint: 'Give images as filePath or base64, and everything else as filePath.',
      })
    }
  }
  return { imagePaths: paths.length > 0 ? paths : undefined, images: inline.length > 0 ? inline : undefined }
}

export function firstMessage(state: DialogueState): Effect {
  return userMessage(state, promptNamingFiles(state.options), images(state.options))
}

export function userMessage(state: DialogueState, text: string, more: JsonRecord = {}): Effect {
  const { outputSchema } = state.options
  const outputFormat = outputSchema && { type: 'json_schema', schema: outputSchema }
  return request(state, 'message', 'add_user_message', { text, outputFormat, ...more })
}
