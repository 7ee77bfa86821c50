import type { AgentEvent } from '../contract/events.ts'
import type { SessionMetadata } from '../contract/hooks.ts'

/** The first title stays; of everything else the last word counts. */
export function mergeMetadata(known: SessionMetadata, news: SessionMetadata): SessionMetadata {
  const merged: SessionMetadata = { ...known }
  for (const [key, value] of Object.entries(news)) if (value !== undefined) Object.assign(merged, { [key]: value })
  if (known.title !== undefined) merged.title = known.title
  return merged
}

const SUMMARY_LENGTH = 2000

/** As much of an answer as is of use in a list. */
export function summaryText(answer: string | undefined): string | undefined {
  const text = answer?.trim() ?? ''
  return text === '' ? undefined : text.slice(0, SUMMARY_LENGTH)
}

/** What an event of the stream reports about the session. */
export function metadataOf(event: AgentEvent): SessionMetadata {
  switch (event.type) {
    case 'session_start':
    case 'session_resume':
    case 'session_fork':
    case 'session_checkpoint':
      return event.sessionId === '' ? {} : { agentSessionId: event.sessionId }
    case 'message_stop':
      return withSummary(event.text)
    default:
      return {}
  }
}

function withSummary(text: string): SessionMetadata {
  const summary = summaryText(text)
  return summary === undefined ? {} : { summary }
}
