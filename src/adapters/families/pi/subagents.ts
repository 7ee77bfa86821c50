import type { Effect } from '../../../contract/dialogue.ts'
import { asNumber, asRecord, asRecords, asString, type JsonRecord } from '../../../core/json.ts'
import type { DialogueState } from './state.ts'
import { usageEffects } from './usage.ts'

/**
 * A sub-agent has begun or ended, reported in RPC mode. What it found out is in the result of the call that started it.
 */
export function subagentNotice(state: DialogueState, payload: JsonRecord): Effect[] {
  const { id, agentName } = identityOf(payload)
  const status = asString(payload.status) ?? ''
  const about = asString(payload.description) ?? ''
  if (status === 'started') return spawned(state, payload, about)
  return ended(state, id, agentName, about, status === 'completed' ? undefined : status)
}

/** The same where only the call itself reports them: those that it works on, and then what came of each. */
export function subagentsOfCall(state: DialogueState, details: JsonRecord): Effect[] {
  const atWork = asRecords(details.progress).filter(({ id, assignment }) => asString(id) && asString(assignment))
  const results = asRecords(details.results)
  return [
    ...[...atWork, ...results].flatMap((one) => spawned(state, one, asString(one.assignment) ?? '')),
    ...results.flatMap((result) => ofResult(state, result)),
  ]
}

function identityOf(reported: JsonRecord): { id: string; agentName: string } {
  return { id: asString(reported.id) ?? '', agentName: asString(reported.agent) ?? '' }
}

function spawned(state: DialogueState, reported: JsonRecord, prompt: string): Effect[] {
  const { id, agentName } = identityOf(reported)
  if (state.subagents.has(id)) return []
  state.subagents.set(id, 'running')
  return [{ emit: { type: 'subagent_spawn', subagentId: id, agentName, prompt } }]
}

function ended(state: DialogueState, id: string, agentName: string, summary: string, error?: string): Effect[] {
  if (state.subagents.get(id) === 'ended') return []
  state.subagents.set(id, 'ended')
  const subagent = { subagentId: id, agentName }
  if (error !== undefined) return [{ emit: { type: 'subagent_error', ...subagent, error } }]
  return [{ emit: { type: 'subagent_result', ...subagent, summary } }]
}

/** Its requests are reported nowhere else. */
function ofResult(state: DialogueState, result: JsonRecord): Effect[] {
  const { id, agentName } = identityOf(result)
  const failed = result.aborted === true || (asNumber(result.exitCode) ?? 0) !== 0
  const reason = asString(result.error) ?? asString(result.abortReason) ?? asString(result.stderr)
  const error = failed ? reason || 'failed' : undefined
  return [
    ...usageEffects(state, asRecord(result.usage), modelOf(result)),
    ...ended(state, id, agentName, asString(result.output) ?? '', error),
  ]
}

/** Without its provider. */
function modelOf({ resolvedModelIdentity }: JsonRecord): string | undefined {
  return asString(resolvedModelIdentity)?.replace(/^[^/]+\//, '')
}
