import type { SessionRecord } from './record.ts'

/**
 * Ids of the sessions whose agent calls the conversation so: `agent:id`, the agent's own id, or the beginning of either.
 * Of several sessions with the same conversation the newest is meant; `sessions` has the newest first.
 */
export function byConversation(
  sessions: readonly Pick<SessionRecord, 'id' | 'agent' | 'metadata'>[],
  given: string,
): string[] {
  const found = new Map<string, string>()
  for (const { id, agent, metadata } of sessions) {
    const conversation = metadata.agentSessionId
    if (conversation === undefined) continue
    const whole = `${agent}:${conversation}`
    const begins = conversation.startsWith(given) || (whole.startsWith(given) && given.length > agent.length + 1)
    if (begins && !found.has(whole)) found.set(whole, id)
  }
  const exact = [...found].find(([whole]) => whole === given || whole.endsWith(`:${given}`))
  return exact ? [exact[1]] : [...found.values()]
}
