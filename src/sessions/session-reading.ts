import type { SessionFacts, SessionReading, UsageRow } from '../contract/session-store.ts'
import type { Session } from '../contract/sessions.ts'
import type { CostRecord, TokenUsage } from '../contract/usage.ts'
import { usageRow } from '../core/session-log.ts'

/** Facts and counts of a session that has been read whole. */
export function readingOf(session: Session): SessionReading {
  return { facts: factsOf(session), usage: usageOf(session) }
}

export function factsOf({ messages, title, createdAt, updatedAt, turnCount, ...session }: Session): SessionFacts {
  const { sessionId, model, cwd, forkedFrom } = session
  return { sessionId, title, createdAt, updatedAt, turnCount, messageCount: messages.length, model, cwd, forkedFrom }
}

/** One row for each message with counts; else one for the sum that the agent keeps. */
function usageOf(session: Session): UsageRow[] {
  const { messages, sessionId, updatedAt, model, tokenUsage, cost } = session
  const rows = messages.flatMap((message, index) =>
    message.tokenUsage
      ? [
          row(
            `${sessionId}#${index}`,
            message.timestamp ?? updatedAt,
            message.model ?? model,
            message.tokenUsage,
            message.cost,
          ),
        ]
      : [],
  )
  if (rows.length > 0 || !tokenUsage) return rows
  return [row(sessionId, updatedAt, model, tokenUsage, cost)]
}

function row(key: string, at: number, model: string | undefined, usage: TokenUsage, cost?: CostRecord): UsageRow {
  return { ...usageRow(key, at, model, usage), costUsd: cost?.source === 'agent' ? cost.totalUsd : undefined }
}
