import type { Effect } from '../../contract/dialogue.ts'
import { asString, type JsonRecord } from '../json.ts'

/** A sub-agent has begun or ended. What it found out stands in the result of the call that started it. */
export function subagentNotice(payload: JsonRecord): Effect[] {
  const subagentId = asString(payload.id) ?? ''
  const agentName = asString(payload.agent) ?? ''
  const status = asString(payload.status) ?? ''
  const about = asString(payload.description) ?? ''
  switch (status) {
    case 'started':
      return [{ emit: { type: 'subagent_spawn', subagentId, agentName, prompt: about } }]
    case 'completed':
      return [{ emit: { type: 'subagent_result', subagentId, agentName, summary: about } }]
    default:
      return [{ emit: { type: 'subagent_error', subagentId, agentName, error: status } }]
  }
}
