import type { CreateElicitationRequest, ElicitationContentValue } from '@agentclientprotocol/sdk/unstable'
import type { Effect } from '../../../contract/dialogue.ts'
import { asArray, asRecord, asRecords, asString, type JsonRecord, parseRecord } from '../../../core/json.ts'
import type { AnswerCommand } from '../../kit/commands.ts'
import { hostRequest, perform } from './host-requests.ts'
import { decide, permissionRequest } from './permissions.ts'
import { INTERNAL_ERROR, METHOD_NOT_FOUND, type Native, reply, replyError } from './rpc.ts'
import type { AcpState, PendingRequest, RequestId } from './state.ts'

/** The agent asks its client. It waits for the answer, so every request must get one. */
export function agentRequest(state: AcpState, id: RequestId, method: string, params: JsonRecord): Effect[] {
  if (method === 'session/request_permission') return permissionRequest(state, id, params)
  if (method === 'elicitation/create') return formRequest(state, id, params)
  const hosted = hostRequest(state, id, method, params)
  if (hosted) return hosted
  const effects: Effect[] = isExpected(state, method) ? [] : [{ unrecognized: `request:${method}` }]
  if (state.live) effects.push(replyError(id, METHOD_NOT_FOUND, `agent-mux does not know ${method}`))
  return effects
}

function isExpected({ profile }: AcpState, method: string): boolean {
  return method.startsWith('_') || (profile.ignored?.includes(method) ?? false)
}

function fieldsOf(schema: JsonRecord): JsonRecord {
  return asRecord(schema.properties) ?? {}
}

/** The choices of the first field, where it has any. */
function choicesOf(schema: JsonRecord): string[] | undefined {
  const field = asRecord(Object.values(fieldsOf(schema))[0])
  const titled = asRecords(field?.oneOf).flatMap((choice) => asString(choice.const) ?? [])
  const choices = titled.length > 0 ? titled : asArray(field?.enum).flatMap((choice) => asString(choice) ?? [])
  return choices.length > 0 ? choices : undefined
}

/** The agent, or an MCP server behind it, asks the user to fill a form. */
function formRequest(state: AcpState, id: RequestId, params: Native<CreateElicitationRequest> & JsonRecord): Effect[] {
  const schema = asRecord(params.requestedSchema) ?? {}
  if (state.live && state.options.nonInteractive) return [reply<'elicitation/create'>(id, { action: 'decline' })]
  const interactionId = `form-${id}`
  state.pending.set(interactionId, { kind: 'form', id, schema })
  const question = asString(params.message) ?? ''
  const options = choicesOf(schema)
  const context = options ? undefined : JSON.stringify(fieldsOf(schema))
  return [{ emit: { type: 'input_required', interactionId, question, context, options, source: 'agent' } }]
}

/** The one who decides also emits it: this only passes the decision on. Null: it does not fit what was asked. */
export function answer(state: AcpState, command: AnswerCommand): Effect[] | null {
  const request = state.pending.get(command.interactionId)
  if (!request) return null
  const effects = request.kind === 'form' ? formAnswer(request, command) : approvalAnswer(state, request, command)
  if (effects) state.pending.delete(command.interactionId)
  return effects
}

function approvalAnswer(
  state: AcpState,
  request: Exclude<PendingRequest, { kind: 'form' }>,
  command: AnswerCommand,
): Effect[] | null {
  if (command.type === 'answer') return null
  const approved = command.type === 'approve'
  if (request.kind === 'permission') {
    return decide(
      state,
      request,
      approved,
      approved ? command.detail : (command.reason ?? 'The user refused the call.'),
    )
  }
  if (!approved) return [replyError(request.id, INTERNAL_ERROR, command.reason ?? 'The user refused this.')]
  if (command.detail === 'always') {
    state.alwaysGranted.add(request.request.type === 'terminal_create' ? 'execute' : 'edit')
  }
  return [perform(state, request.id, request.request)]
}

/** Words that are no JSON fill the first field. */
function formAnswer(request: Extract<PendingRequest, { kind: 'form' }>, command: AnswerCommand): Effect[] | null {
  if (command.type === 'approve') return null
  if (command.type === 'deny') return [reply<'elicitation/create'>(request.id, { action: 'decline' })]
  const [first] = Object.keys(fieldsOf(request.schema))
  const content: Record<string, ElicitationContentValue> = {}
  const given: JsonRecord = parseRecord(command.text) ?? (first === undefined ? {} : { [first]: command.text })
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') content[name] = value
    else if (Array.isArray(value)) content[name] = value.map(String)
  }
  return [reply<'elicitation/create'>(request.id, { action: 'accept', content })]
}
