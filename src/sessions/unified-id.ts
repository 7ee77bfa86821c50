import type { AgentName } from '../contract/names.ts'

export function unifiedId(agent: AgentName, sessionId: string): string {
  return `${agent}:${sessionId}`
}

/** Split at the first colon: the names of agents have none, their ids may. Null when there is no name or no id. */
export function splitUnifiedId(id: string): { agent: AgentName; sessionId: string } | null {
  const colon = id.indexOf(':')
  if (colon <= 0 || colon === id.length - 1) return null
  return { agent: id.slice(0, colon), sessionId: id.slice(colon + 1) }
}
