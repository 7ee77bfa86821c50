import type { AgentEventDraftOf } from '../../contract/event-drafts.ts'
import { asRecord, asRecords, asString, type JsonRecord } from '../../core/json.ts'
import { toolAccess } from '../kit/tool-access.ts'
import type { PendingRequest, RequestId } from './state.ts'
import { mcpToolName, TOOLS } from './tools.ts'

type ApprovalRequest = AgentEventDraftOf<'approval_request'>

interface Approval {
  event: ApprovalRequest
  request: PendingRequest
}

export function isApproval({ kind }: PendingRequest): boolean {
  return kind !== 'form' && kind !== 'question'
}

/** Null: the request asks for no permission. `item` is the call that it is about. */
export function readApproval(
  id: RequestId,
  method: string,
  params: JsonRecord,
  item: JsonRecord | undefined,
): Approval | null {
  switch (method) {
    case 'item/commandExecution/requestApproval':
      return commandApproval(id, params)
    case 'item/fileChange/requestApproval':
      return fileApproval(id, params, item)
    case 'item/permissions/requestApproval':
      return permissionsApproval(id, params)
    case 'mcpServer/elicitation/request':
      return mcpApproval(id, params, item)
    default:
      return null
  }
}

function approval(request: PendingRequest, fields: Omit<ApprovalRequest, 'type' | 'interactionId'>): Approval {
  const { interactionId, itemId } = request
  return { event: { type: 'approval_request', interactionId, toolCallId: itemId, ...fields }, request }
}

const lines = (...parts: (string | undefined)[]): string => parts.filter((part) => part).join('\n')

function commandApproval(id: RequestId, params: JsonRecord): Approval {
  const itemId = asString(params.itemId)
  const interactionId = asString(params.approvalId) ?? itemId ?? ''
  const detail = lines(asString(params.command), asString(params.reason))
  const command = asString(params.command)
  const cwd = asString(params.cwd)
  const input = { command: command ?? '', cwd }
  // Without a command it is about something else, such as the network.
  const access = command === undefined ? { kind: 'other' as const } : toolAccess(TOOLS, 'shell', input)
  return approval(
    { id, interactionId, kind: 'decision', params, itemId },
    { action: 'shell', detail, toolName: 'shell', riskLevel: 'high', input, ...access, cwd },
  )
}

function fileApproval(id: RequestId, params: JsonRecord, item: JsonRecord | undefined): Approval {
  const itemId = asString(params.itemId)
  const changes = asRecords(item?.changes)
  const detail = lines(...changes.map((change) => asString(change.path)), asString(params.reason))
  const paths = changes.flatMap(({ path, kind }) => [asString(path) ?? [], asString(asRecord(kind)?.move_path) ?? []])
  // What it would allow below a whole directory, the changes do not say.
  const isKnown = paths.length > 0 && (params.grantRoot === undefined || params.grantRoot === null)
  const about = { action: 'apply_patch', detail, toolName: 'apply_patch', riskLevel: 'medium' } as const
  const access = isKnown ? { kind: 'edit' as const, paths: paths.flat() } : { kind: 'edit' as const }
  return approval(
    { id, interactionId: itemId ?? '', kind: 'decision', params, itemId },
    { ...about, input: { changes }, ...access },
  )
}

function permissionsApproval(id: RequestId, params: JsonRecord): Approval {
  const itemId = asString(params.itemId)
  const detail = lines(asString(params.reason), JSON.stringify(params.permissions ?? {}))
  return approval(
    { id, interactionId: itemId ?? '', kind: 'permissions', params, itemId },
    {
      ...{ action: 'request_permissions', detail, toolName: 'request_permissions', riskLevel: 'high' },
      ...{ input: params.permissions, kind: 'other' },
    },
  )
}

/** Codex asks whether a tool of an MCP server may run in the form in which such servers ask the user. */
function mcpApproval(id: RequestId, params: JsonRecord, item: JsonRecord | undefined): Approval | null {
  const meta = asRecord(params._meta)
  if (meta?.codex_approval_kind === undefined) return null
  const itemId = asString(item?.id)
  const detail = lines(asString(params.message), JSON.stringify(meta.tool_params ?? {}))
  const toolName = item ? mcpToolName(item) : asString(params.serverName)
  return approval(
    { id, interactionId: itemId ?? `elicitation-${id}`, kind: 'mcp_tool', params, itemId },
    {
      ...{ action: toolName ?? 'mcp', detail, toolName, riskLevel: 'medium' },
      ...{ input: meta.tool_params, kind: 'mcp', paths: [] },
    },
  )
}

/** The answer in the words of the request. `always`: for the rest of the session. */
export function approvalResult({ kind, params }: PendingRequest, approved: boolean, always: boolean): JsonRecord {
  switch (kind) {
    case 'permissions':
      return { permissions: approved ? (asRecord(params.permissions) ?? {}) : {}, scope: always ? 'session' : 'turn' }
    case 'mcp_tool':
      return {
        action: approved ? 'accept' : 'decline',
        content: approved ? {} : null,
        _meta: always ? { persist: 'session' } : null,
      }
    default:
      return { decision: approved ? (always ? 'acceptForSession' : 'accept') : 'decline' }
  }
}
