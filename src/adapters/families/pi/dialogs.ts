import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS, warning, writeLine } from '../../../core/effects.ts'
import { asArray, asRecord, asString, type JsonRecord, parseRecord, textOf } from '../../../core/json.ts'
import type { AnswerCommand } from '../../kit/commands.ts'
import { ownDenial } from '../../kit/denial.ts'
import { toolAccess } from '../../kit/tool-access.ts'
import type { DialogueState, OpenCall, PendingDialog } from './state.ts'

/** The title under which our own gate asks; its message holds the call. */
export const APPROVAL_TITLE = 'agent-mux approval'

const APPROVE = 'Approve'
const DENY = 'Deny'

/** `Allow tool: bash`, and what it is about in the lines below. */
const ALLOW = /^Allow tool: (\S+)/

/** The CLI, or an extension of it, asks the user something, or shows something. */
export function dialogRequest(state: DialogueState, record: JsonRecord): Effect[] {
  const method = asString(record.method) ?? ''
  const id = asString(record.id) ?? ''
  switch (method) {
    case 'confirm':
    case 'select':
      return readApproval(state, id, method, record) ?? question(state, id, method, record)
    case 'input':
    case 'editor':
      return question(state, id, method, record)
    case 'notify':
      return record.notifyType === 'warning' || record.notifyType === 'error'
        ? [warning(asString(record.message) ?? '')]
        : NO_EFFECTS
    case 'cancel':
      state.pending.delete(asString(record.targetId) ?? '')
      return NO_EFFECTS
    case 'setStatus':
    case 'setWidget':
    case 'setTitle':
    case 'set_editor_text':
    case 'open_url':
      return NO_EFFECTS
    default:
      return [{ unrecognized: `extension_ui_request/${method}` }]
  }
}

function readApproval(state: DialogueState, id: string, method: string, record: JsonRecord): Effect[] | null {
  const title = asString(record.title) ?? ''
  const gate = title === APPROVAL_TITLE ? parseRecord(asString(record.message) ?? '') : null
  const toolName = gate ? asString(gate.toolName) : ALLOW.exec(title)?.[1]
  if (toolName === undefined) return null
  const options = asArray(record.options).map(textOf)
  if (!gate && !options.includes(APPROVE)) return null
  const detail = gate ? textOf(gate.input) : title.slice(title.indexOf('\n') + 1)
  const shown = gate ? undefined : callShown(state, toolName, detail)
  const toolCallId = gate ? asString(gate.toolCallId) : (shown?.toolCallId ?? unaskedCall(state, toolName))
  state.pending.set(id, { method, isApproval: true, options, toolCallId })
  const fields = { action: toolName, detail, toolName, toolCallId, riskLevel: 'medium' } as const
  // Without the call itself, what is shown may be a part of it only.
  const input = gate ? gate.input : shown?.input
  const known = input === undefined ? {} : { input, ...toolAccess(state.dialect.tools, toolName, input) }
  return [{ emit: { type: 'approval_request', interactionId: id, ...fields, ...known } }]
}

/**
 * The call whose whole command is shown. Another one of the same tool may run meanwhile, and a rule that allows that one
 * must not allow this one, so nothing less will do.
 */
function callShown(state: DialogueState, toolName: string, detail: string): OpenCall | undefined {
  const isShown = ({ input }: OpenCall) => `Command: ${asString(asRecord(input)?.command)}` === detail
  return [...state.calls.values()].find((call) => call.toolName === toolName && isShown(call))
}

/** The CLI asks before it starts the call, and does not name it. */
function unaskedCall(state: DialogueState, toolName: string): string | undefined {
  const asked = new Set([...state.pending.values()].map(({ toolCallId }) => toolCallId))
  return [...state.calls.values()].find((call) => call.toolName === toolName && !asked.has(call.toolCallId))?.toolCallId
}

function question(state: DialogueState, id: string, method: string, record: JsonRecord): Effect[] {
  const options = method === 'confirm' ? ['yes', 'no'] : asArray(record.options).map(textOf)
  state.pending.set(id, { method, isApproval: false, options, toolCallId: undefined })
  const context = asString(record.message) ?? asString(record.placeholder) ?? asString(record.prefill)
  const fields = { question: asString(record.title) ?? '', context, options: options.length > 0 ? options : undefined }
  return [{ emit: { type: 'input_required', interactionId: id, ...fields, source: 'agent' } }]
}

/** The one who decides also emits it: this only passes the decision on. Null: it does not fit what was asked. */
export function answer(state: DialogueState, command: AnswerCommand): Effect[] | null {
  const dialog = state.pending.get(command.interactionId)
  if (!dialog || command.type === (dialog.isApproval ? 'answer' : 'approve')) return null
  state.pending.delete(command.interactionId)
  const response = { type: 'extension_ui_response', id: command.interactionId, ...responseTo(dialog, command) }
  return [writeLine(response)]
}

function responseTo(dialog: PendingDialog, command: AnswerCommand): JsonRecord {
  if (dialog.isApproval) {
    const approved = command.type === 'approve'
    return dialog.method === 'confirm' ? { confirmed: approved } : { value: approved ? APPROVE : DENY }
  }
  if (command.type !== 'answer') return { cancelled: true }
  if (dialog.method === 'confirm') return { confirmed: /^\s*(?:y|true|ok)/i.test(command.text) }
  const wanted = command.text.trim().toLowerCase()
  return { value: dialog.options.find((option) => option.trim().toLowerCase() === wanted) ?? command.text }
}

/**
 * What became of a call, where nobody has reported it: a recording does not hold the answers, and a policy of the CLI
 * refuses without asking. `reason` is set when the call was denied.
 */
export function unseenVerdicts(state: DialogueState, call: OpenCall, reason: string | null): Effect[] {
  const asked = [...state.pending].find(([, dialog]) => dialog.toolCallId === call.toolCallId)
  if (asked) {
    const [interactionId] = asked
    state.pending.delete(interactionId)
    if (reason === null) return [{ emit: { type: 'approval_granted', interactionId } }]
    return [{ emit: { type: 'approval_denied', interactionId, reason } }]
  }
  // A refusal that follows a question has been emitted by the one who answered it.
  if (reason === null || ASKED.test(reason)) return NO_EFFECTS
  return ownDenial(call, reason, textOf(call.input))
}

const ASKED = /denied by (?:the )?user/i
