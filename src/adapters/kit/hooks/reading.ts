import type { Sign } from '../../../contract/activity.ts'
import type { HookReading, SessionMetadata } from '../../../contract/hooks.ts'
import { summaryText } from '../../../core/session-metadata.ts'
import { sessionTitle } from '../../../core/session-title.ts'

/** What a payload may report about its session, as it is there: anything. */
interface Reported {
  sessionId?: unknown
  transcriptPath?: unknown
  model?: unknown
  /** What the user asked for. */
  prompt?: unknown
  /** What the agent said last. */
  answer?: unknown
  usage?: SessionMetadata['usage']
}

/** What a hook reports; null when that is nothing. */
export function reading(evidence: Sign | undefined, reported: Reported): HookReading | null {
  const { sessionId, transcriptPath, model, prompt, answer, usage } = reported
  const metadata: SessionMetadata = {
    agentSessionId: textOrNone(sessionId),
    transcriptPath: textOrNone(transcriptPath),
    model: textOrNone(model),
    title: textOrNone(sessionTitle(textOrNone(prompt) ?? '')),
    summary: summaryText(textOrNone(answer)),
    usage,
  }
  const known = Object.entries(metadata).filter(([, value]) => value !== undefined)
  if (!evidence && known.length === 0) return null
  return { ...(evidence && { evidence }), metadata: Object.fromEntries(known) }
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
