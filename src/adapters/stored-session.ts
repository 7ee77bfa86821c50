import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Fact } from '../contract/activity.ts'
import type { AgentAdapter } from '../contract/adapter.ts'
import type { RestorePlan, SessionReference } from '../contract/restore.ts'
import type { Session } from '../contract/sessions.ts'

type Reader = Pick<AgentAdapter, 'listSessionFiles' | 'parseSessionFile'>

const SHORT_ID = 8

interface StoredSession {
  path: string
  session: Session
}

/** The session in the agent's own store; null when it is not there. Names hold the id, or its beginning. */
export async function findStored(adapter: Reader, { sessionId, cwd }: SessionReference): Promise<StoredSession | null> {
  const paths = await adapter.listSessionFiles(cwd)
  const named = (id: string) => paths.filter((path) => path.includes(id))
  const inPath = named(sessionId)
  for (const path of inPath.length > 0 ? inPath : named(sessionId.slice(0, SHORT_ID))) {
    const session = await adapter.parseSessionFile(path).catch(() => null)
    if (session?.sessionId === sessionId) return { path, session }
  }
  return null
}

/** What can be done with a conversation, after a look into the agent's store. */
export async function planRestore(
  adapter: Reader & Pick<AgentAdapter, 'displayName' | 'capabilities'>,
  reference: SessionReference,
  hasStore: boolean,
): Promise<RestorePlan> {
  const { sessionId } = reference
  const { displayName, capabilities } = adapter
  const stored = hasStore ? await findStored(adapter, reference) : null
  if (capabilities.canResume) {
    if (stored || !hasStore) return { kind: 'native', sessionId, probed: stored !== null }
    return { kind: 'fresh', reason: `${displayName} has no session ${sessionId} in its store` }
  }
  const reason = `${displayName} cannot resume sessions`
  if (stored) return { kind: 'replay', sessionId, reason }
  return { kind: 'impossible', reason: `${reason}, and the conversation is not in a store that can be read` }
}

const READY_MS = 300_000

/**
 * What the agent's own transcript says. It does not report that a turn is over, so an answer counts as its end, and
 * whatever has not changed for `readyMs` is no longer taken for work. Null: there is no transcript.
 */
export async function transcriptActivity(
  adapter: Reader,
  reference: SessionReference,
  readyMs = READY_MS,
  now = Date.now(),
): Promise<Fact | null> {
  const stored = await findStored(adapter, reference)
  const last = stored?.session.messages.at(-1)
  if (!stored || !last) return null
  const changed = await stat(basename(stored.path).includes('#') ? stored.path.replace(/#[^#]*$/, '') : stored.path)
  const at = last.timestamp ?? changed.mtimeMs
  const fact = { source: 'transcript', at, launch: 1 } as const
  const isAnswer = last.role === 'assistant' && (last.toolCalls ?? []).length === 0
  if (isAnswer) return { ...fact, state: 'idle', detail: 'its transcript ends with an answer' }
  if (now - at > readyMs) return { ...fact, state: 'unknown', detail: 'its transcript stops in the middle of a turn' }
  return { ...fact, state: 'active', detail: 'its transcript ends in the middle of a turn' }
}
