import type {
  PermissionOption,
  PermissionOptionKind,
  RequestPermissionOutcome,
  RequestPermissionRequest,
  ToolKind,
} from '@agentclientprotocol/sdk/unstable'
import type { Effect } from '../../../contract/dialogue.ts'
import type { RiskLevel } from '../../../contract/events.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import { asRecord, asRecords, asString, type JsonRecord } from '../../../core/json.ts'
import { isMetered } from './profile.ts'
import { type Native, reply } from './rpc.ts'
import type { AcpState, PendingRequest, RequestId, Tool } from './state.ts'
import { pathsOf } from './tool-files.ts'
import { accessOf, callInput, ready, refused, toolChanged } from './tools.ts'

type Permission = Extract<PendingRequest, { kind: 'permission' }>

const RISKS: Readonly<Record<ToolKind, RiskLevel>> = {
  read: 'low',
  search: 'low',
  think: 'low',
  fetch: 'medium',
  switch_mode: 'medium',
  edit: 'medium',
  move: 'medium',
  other: 'medium',
  delete: 'high',
  execute: 'high',
}

const EDITS: ReadonlySet<ToolKind> = new Set(['edit', 'move'])

/** Who decides: the mode of the run, or somebody who is asked. */
export function verdictOf({ options }: AcpState, kind: ToolKind): 'allow' | 'deny' | 'ask' {
  if (options.approvalMode === 'deny') return 'deny'
  if (options.approvalMode === 'yolo') return 'allow'
  if (options.approvalMode === 'accept-edits' && EDITS.has(kind)) return 'allow'
  return options.nonInteractive ? 'deny' : 'ask'
}

export function denialReason({ options }: AcpState): string {
  return options.approvalMode === 'deny' ? 'The approval mode is deny.' : 'Nobody is there to ask.'
}

/** The agent asks whether it may. It waits for the answer, so each request must get one. */
export function permissionRequest(state: AcpState, id: RequestId, params: Native<RequestPermissionRequest>): Effect[] {
  const call = permittedCall(state, asRecord(params.toolCall) ?? {})
  const toolCallId = asString(call.toolCallId) ?? `permission-${id}`
  const options = asRecords(params.options)
  // In the request the call is always one that has still to begin.
  const effects = [...toolChanged(state, { ...call, toolCallId, status: undefined })]
  const tool = state.tools.get(toolCallId)
  if (tool) effects.push(...ready(state, tool))
  const permission: Permission = { kind: 'permission', id, toolCallId, options }
  const verdict = state.live ? verdictOf(state, tool?.kind ?? 'other') : 'ask'
  if (verdict === 'allow') return [...effects, ...allowed(state, permission)]
  const interactionId = state.pending.has(toolCallId) ? `${toolCallId}#${id}` : toolCallId
  effects.push({ emit: approvalEvent(interactionId, toolCallId, tool, call) })
  if (verdict === 'ask') {
    state.pending.set(interactionId, permission)
    return effects
  }
  const reason = denialReason(state)
  effects.push({ emit: { type: 'approval_denied', interactionId, reason } })
  return [...effects, ...decide(state, permission, false, reason)]
}

/** The call that waits for the answer, where the request has a name of its own for it. */
function permittedCall({ profile, tools }: AcpState, call: JsonRecord): JsonRecord {
  const rawInput = profile.permittedInput?.(call) ?? null
  if (rawInput === null) return call
  const open = [...tools.values()].filter(({ isDone, isGranted, kind }) => !isDone && !isGranted && kind === call.kind)
  const { command, path } = rawInput
  const isMeant = (tool: Tool) => {
    const { command: known } = asRecord(tool.shownInput) ?? {}
    return command === undefined ? pathsOf(tool).some((one) => one === path) : known === command
  }
  const meant = open.find(isMeant) ?? open[0]
  return { ...call, rawInput, ...(meant && { toolCallId: meant.toolCallId, title: meant.title }) }
}

function allowed(state: AcpState, permission: Permission): Effect[] {
  const effects = decide(state, permission, true)
  return isMetered(state.profile, state.options)
    ? effects.map((one) => ('write' in one ? { ...one, afterUsage: true } : one))
    : effects
}

function approvalEvent(interactionId: string, toolCallId: string, tool: Tool | undefined, call: JsonRecord) {
  const action = tool?.toolName ?? asString(call.title) ?? 'tool'
  const input = tool?.input ?? tool?.shownInput
  const detail = asString(asRecord(input)?.command) ?? (input ? JSON.stringify(input) : (tool?.title ?? action))
  const riskLevel = RISKS[tool?.kind ?? 'other']
  const about = { action, detail, toolName: action, toolCallId, riskLevel }
  const known = tool ? { input: callInput(tool), ...accessOf(tool) } : { kind: 'other' as const }
  return { type: 'approval_request', interactionId, ...about, ...known } as const
}

const ALLOW: readonly PermissionOptionKind[] = ['allow_once', 'allow_always']
const ALLOW_ALWAYS: readonly PermissionOptionKind[] = ['allow_always', 'allow_once']
const REJECT: readonly PermissionOptionKind[] = ['reject_once', 'reject_always']

/** The option that fits best: one that the caller has named, else the narrowest of the right kind. */
function choose(options: readonly Native<PermissionOption>[], approved: boolean, detail?: string): string | undefined {
  const named = options.find(({ optionId, name }) => detail !== undefined && (optionId === detail || name === detail))
  if (named) return asString(named.optionId)
  for (const kind of approved ? (detail === 'always' ? ALLOW_ALWAYS : ALLOW) : REJECT) {
    const option = options.find((one) => one.kind === kind)
    if (option) return asString(option.optionId)
  }
  return undefined
}

/** The answer to a permission request, and what it means for the call. */
export function decide(state: AcpState, permission: Permission, approved: boolean, detail?: string): Effect[] {
  const { id, toolCallId, options } = permission
  const optionId = choose(options, approved, detail)
  const outcome: RequestPermissionOutcome =
    optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId }
  const answer = reply<'session/request_permission'>(id, { outcome })
  return [answer, ...decided(state, toolCallId, approved, detail)]
}

/** Takes note of a decision, no matter who made it. */
export function decided(state: AcpState, toolCallId: string, approved: boolean, detail?: string): Effect[] {
  const tool = state.tools.get(toolCallId)
  if (!tool) return NO_EFFECTS
  if (!approved) return refused(state, tool, detail ?? 'The call was refused.')
  tool.isGranted = true
  if (detail === 'always') state.alwaysGranted.add(tool.kind)
  return NO_EFFECTS
}

/** In a recording of both directions the answer is there, in words of the request. */
export function recordedDecision(state: AcpState, id: RequestId, result: JsonRecord): Effect[] {
  for (const [interactionId, request] of state.pending) {
    if (request.kind !== 'permission' || request.id !== id) continue
    state.pending.delete(interactionId)
    const chosen = asString(asRecord(result.outcome)?.optionId)
    const kind = asString(request.options.find(({ optionId }) => optionId === chosen)?.kind) ?? ''
    if (kind.startsWith('allow')) {
      return [{ emit: { type: 'approval_granted', interactionId } }, ...decided(state, request.toolCallId, true)]
    }
    return [{ emit: { type: 'approval_denied', interactionId } }, ...decided(state, request.toolCallId, false)]
  }
  return NO_EFFECTS
}
