import type { DialogueCommand, Effect } from '../../contract/dialogue.ts'
import type { AgentEventDraftOf } from '../../contract/event-drafts.ts'
import { asRecord, asRecords, asString, type JsonRecord, parseRecord, textOf } from '../../core/json.ts'

type RequestId = string | number

/** A request of the app server that waits for our answer. */
export interface PendingRequest {
  readonly interactionId: string
  readonly itemId: string | undefined
  readonly events: Effect[]
  /** True for approvals: the user says yes or no. False for questions: the user answers in words. */
  readonly isApproval: boolean
  /** The result for the server, or undefined while more answers are needed. Null: the command does not fit. */
  answer(command: DialogueCommand): JsonRecord | null | undefined
}

export function reply(id: RequestId, result: JsonRecord): Effect {
  return { write: JSON.stringify({ id, result }) }
}

export function refuse(id: RequestId, message: string): Effect {
  return { write: JSON.stringify({ id, error: { code: -32601, message } }) }
}

type ApprovalFields = Omit<AgentEventDraftOf<'approval_request'>, 'type' | 'interactionId'>

const keepsForSession = (command: DialogueCommand): boolean => command.type === 'approve' && command.detail === 'always'

function approval(
  interactionId: string,
  itemId: string | undefined,
  fields: ApprovalFields,
  decide: (approved: boolean, always: boolean) => JsonRecord,
): PendingRequest {
  return {
    interactionId,
    itemId,
    isApproval: true,
    events: [{ emit: { type: 'approval_request', interactionId, toolCallId: itemId, ...fields } }],
    answer(command) {
      if (command.type !== 'approve' && command.type !== 'deny') return null
      return decide(command.type === 'approve', keepsForSession(command))
    },
  }
}

const decision = (approved: boolean, always: boolean): JsonRecord => ({
  decision: approved ? (always ? 'acceptForSession' : 'accept') : 'decline',
})

const lines = (...parts: (string | undefined)[]): string => parts.filter((part) => part).join('\n')

function commandApproval(params: JsonRecord): PendingRequest {
  const itemId = asString(params.itemId)
  const interactionId = asString(params.approvalId) ?? itemId ?? ''
  const detail = lines(asString(params.command), asString(params.reason))
  return approval(interactionId, itemId, { action: 'shell', detail, toolName: 'shell', riskLevel: 'high' }, decision)
}

function fileApproval(params: JsonRecord, item: JsonRecord | undefined): PendingRequest {
  const itemId = asString(params.itemId)
  const paths = asRecords(item?.changes).map((change) => asString(change.path))
  const detail = lines(...paths, asString(params.reason))
  const fields = { action: 'apply_patch', detail, toolName: 'apply_patch', riskLevel: 'medium' } as const
  return approval(itemId ?? '', itemId, fields, decision)
}

function permissionsApproval(params: JsonRecord): PendingRequest {
  const itemId = asString(params.itemId)
  const detail = lines(asString(params.reason), JSON.stringify(params.permissions ?? {}))
  const fields = { action: 'request_permissions', detail, toolName: 'request_permissions', riskLevel: 'high' } as const
  return approval(itemId ?? '', itemId, fields, (approved, always) => ({
    permissions: approved ? (asRecord(params.permissions) ?? {}) : {},
    scope: approved && always ? 'session' : 'turn',
  }))
}

/** MCP servers ask the user through this; codex itself uses it to ask whether one of their tools may run. */
function elicitation(id: RequestId, params: JsonRecord, item: JsonRecord | undefined): PendingRequest {
  const itemId = asString(item?.id)
  const interactionId = itemId ?? `elicitation-${id}`
  const message = asString(params.message) ?? ''
  const meta = asRecord(params._meta)
  if (meta?.codex_approval_kind !== undefined) {
    const detail = lines(message, JSON.stringify(meta.tool_params ?? {}))
    const toolName = item ? `mcp__${textOf(item.server)}__${textOf(item.tool)}` : asString(params.serverName)
    const fields = { action: toolName ?? 'mcp', detail, toolName, riskLevel: 'medium' } as const
    return approval(interactionId, itemId, fields, (approved, always) => ({
      action: approved ? 'accept' : 'decline',
      content: approved ? {} : null,
      _meta: approved && always ? { persist: 'session' } : null,
    }))
  }
  const properties = asRecord(asRecord(params.requestedSchema)?.properties) ?? {}
  const context = asString(params.url) ?? JSON.stringify(properties)
  return {
    interactionId,
    itemId: undefined,
    isApproval: false,
    events: [{ emit: { type: 'input_required', interactionId, question: message, context, source: 'tool' } }],
    answer(command) {
      if (command.type === 'deny') return { action: 'decline', content: null, _meta: null }
      if (command.type !== 'answer') return null
      const [first] = Object.keys(properties)
      const content = parseRecord(command.text) ?? (first === undefined ? {} : { [first]: command.text })
      return { action: 'accept', content, _meta: null }
    },
  }
}

function optionsOf(question: JsonRecord): string[] | undefined {
  const labels = asRecords(question.options).flatMap((option) => asString(option.label) ?? [])
  return labels.length > 0 ? labels : undefined
}

/** Several questions in one request are asked one by one, and answered together. */
function questions(params: JsonRecord): PendingRequest[] {
  const itemId = asString(params.itemId)
  const asked = asRecords(params.questions)
  const answers: Record<string, { answers: string[] }> = {}
  return asked.map((question, index) => {
    const questionId = asString(question.id) ?? String(index)
    const interactionId = asked.length === 1 ? (itemId ?? questionId) : `${itemId}:${questionId}`
    const fields = { question: asString(question.question) ?? '', context: asString(question.header) }
    const options = optionsOf(question)
    return {
      interactionId,
      itemId,
      isApproval: false,
      events: [{ emit: { type: 'input_required', interactionId, ...fields, options, source: 'agent' } }],
      answer(command) {
        if (command.type !== 'answer' && command.type !== 'deny') return null
        answers[questionId] = { answers: command.type === 'answer' ? [command.text] : [] }
        return Object.keys(answers).length < asked.length ? undefined : { answers }
      },
    }
  })
}

/** Null: a request that we do not know. `item` is the call that it is about, where it has begun. */
export function readRequest(
  id: RequestId,
  method: string,
  params: JsonRecord,
  item: JsonRecord | undefined,
): PendingRequest[] | null {
  switch (method) {
    case 'item/commandExecution/requestApproval':
      return [commandApproval(params)]
    case 'item/fileChange/requestApproval':
      return [fileApproval(params, item)]
    case 'item/permissions/requestApproval':
      return [permissionsApproval(params)]
    case 'mcpServer/elicitation/request':
      return [elicitation(id, params, item)]
    case 'item/tool/requestUserInput': {
      const found = questions(params)
      return found.length > 0 ? found : null
    }
    default:
      return null
  }
}

export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number'
}
