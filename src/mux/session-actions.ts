import type { Fact } from '../contract/activity.ts'
import { AgentMuxError } from '../contract/errors.ts'
import type { AgentEvent } from '../contract/events.ts'
import type { AgentName } from '../contract/names.ts'
import type {
  Continuation,
  ExportFormat,
  Handoff,
  HandoffOptions,
  Resumable,
  SessionDiff,
  SessionManager,
  SessionWatchOptions,
} from '../contract/session-manager.ts'
import type { Session, SessionSummary } from '../contract/sessions.ts'
import { suggest } from '../core/suggest.ts'
import type { Catalogue } from '../sessions/catalogue.ts'
import { diffSessions } from '../sessions/diff.ts'
import { exportSession } from '../sessions/export.ts'
import { renderHandoff, SMALLEST_BUDGET } from '../sessions/handoff/render.ts'
import { LogWindow } from '../sessions/log-window.ts'
import type { ManagedLinks } from '../sessions/managed-links.ts'
import { splitUnifiedId, unifiedId } from '../sessions/unified-id.ts'
import { isLog, type Viewer, WholeView } from '../sessions/viewer.ts'
import type { Registry } from './registry.ts'
import { type ResumeCheck, resumeCheck } from './resumable.ts'
import { ownerOf, storeOf } from './session-host.ts'
import { watchSession } from './watch-session.ts'

export type SessionActions = Pick<
  SessionManager,
  'export' | 'diff' | 'watch' | 'activity' | 'resumable' | 'resumableAll' | 'resolve' | 'handoff'
>

const DEFAULT_BUDGET = 24_000
const FILE_POLL_MS = 1000
const DATABASE_POLL_MS = 2000
const MOST_CANDIDATES = 6
/** So many characters at the beginning of an id make it like another. */
const ALIKE = 4
const MOST_MEANT = 3
const DATABASE_PLACE = /^(.*)#[^#]+$/s

/** What can be done with a session that has been found: the catalogue finds it, the rest is here. */
export function sessionActions(
  catalogue: Catalogue,
  registry: Registry,
  env: Readonly<Record<string, string | undefined>>,
  configDir: () => string,
  managed: () => Promise<ManagedLinks>,
): SessionActions {
  const byId = async (id: string): Promise<Session> => {
    const { agent, sessionId } = await resolve(id)
    return catalogue.get(agent, sessionId)
  }

  const resolve = async (id: string): Promise<{ agent: AgentName; sessionId: string }> => {
    const named = (await managed()).conversationOf(id)
    if (named) return named
    const parts = splitUnifiedId(id)
    const owner = parts && ownerOf(parts.agent)
    const isShared = parts !== null && owner !== parts.agent
    const wanted = isShared ? unifiedId(owner ?? '', parts.sessionId) : id
    const found = await catalogue.matching(wanted, MOST_CANDIDATES)
    const isWhole = (one: { agent: AgentName; sessionId: string }) =>
      one.sessionId === wanted || unifiedId(one.agent, one.sessionId) === wanted
    const whole = found.filter(isWhole)
    const [one, ...others] = whole.length > 0 ? whole : found
    if (one && others.length === 0) return isShared ? { ...one, agent: parts.agent } : one
    throw one ? ambiguous(id, [one, ...others]) : notFound(id, await near(parts, id))
  }

  /** What may have been meant: another agent, or a session whose id begins alike. */
  const near = async (parts: ReturnType<typeof splitUnifiedId>, id: string): Promise<string[]> => {
    const agents = registry.list().map(({ agent }) => agent)
    const agent = parts && !agents.includes(parts.agent) ? suggest(parts.agent, agents) : null
    const name = agent && parts ? unifiedId(agent, parts.sessionId) : id
    const beginnings = agent ? [name] : []
    const from = (splitUnifiedId(name) ? name.indexOf(':') + 1 : 0) + ALIKE
    if (name.length > from) beginnings.push(name.slice(0, from))
    for (const beginning of beginnings) {
      const found = await catalogue.matching(beginning, MOST_MEANT)
      if (found.length > 0) return found.map(({ agent, sessionId }) => unifiedId(agent, sessionId))
    }
    return []
  }

  const check = (how: Continuation = 'resume'): ResumeCheck => resumeCheck(registry, env, configDir(), how)

  return {
    resolve,

    async activity(agent: AgentName, sessionId: string, readyThresholdMs?: number): Promise<Fact | null> {
      const adapter = await registry.load(agent)
      // An adapter that fails has not reported anything.
      const asked = async () => adapter.getActivityState?.({ sessionId }, readyThresholdMs)
      return (await asked().catch(() => null)) ?? null
    },

    export: async (agent: AgentName, sessionId: string, format: ExportFormat): Promise<string> =>
      exportSession(await catalogue.get(agent, sessionId), format),
    diff: async (a: string, b: string): Promise<SessionDiff> => {
      const [one, other] = await Promise.all([byId(a), byId(b)])
      return diffSessions(one, other)
    },
    async *watch(agent: AgentName, sessionId: string, options: SessionWatchOptions = {}): AsyncGenerator<AgentEvent> {
      const path = await catalogue.locate(agent, sessionId)
      const file = DATABASE_PLACE.exec(path)?.[1] ?? path
      const pollMs = options.pollMs ?? (file === path ? FILE_POLL_MS : DATABASE_POLL_MS)
      const viewer = await viewerOf(registry, agent, path, file)
      yield* watchSession({ agent, sessionId, file, viewer, ...options, pollMs })
    },
    resumable: async (agent: AgentName, sessionId: string, how?: Continuation): Promise<Resumable> => {
      const session = await catalogue.get(agent, sessionId)
      return check(how)(agent, session.cwd)
    },
    resumableAll: async (sessions: readonly SessionSummary[], how?: Continuation): Promise<Resumable[]> => {
      const checked = check(how)
      return Promise.all(sessions.map(({ agent, cwd }) => checked(agent, cwd)))
    },
    handoff: async (agent: AgentName, sessionId: string, options: HandoffOptions = {}): Promise<Handoff> => {
      const { prompt, budget = DEFAULT_BUDGET } = options
      if (!(budget >= SMALLEST_BUDGET)) {
        throw new AgentMuxError(
          'VALIDATION_ERROR',
          `The budget must be ${SMALLEST_BUDGET} tokens or more, not ${budget}`,
        )
      }
      const session = await catalogue.get(agent, sessionId)
      const { displayName } = registry.get(agent)
      const rendered = renderHandoff({ session, from: displayName, prompt, budget })
      return { ...rendered, continuedFrom: session.unifiedId, cwd: session.cwd }
    },
  }
}

async function viewerOf(registry: Registry, agent: AgentName, path: string, file: string): Promise<Viewer> {
  const store = await storeOf(registry, agent)
  if (store && 'isSession' in store && isLog(path, store)) return new LogWindow(path, store)
  const adapter = await registry.load(agent)
  return new WholeView([file, `${file}-wal`], () => adapter.parseSessionFile(path))
}

function notFound(id: string, near: readonly string[]): AgentMuxError {
  const meant = near.length > 0 ? `Did you mean ${near.join(', ')}? ` : ''
  return new AgentMuxError('SESSION_NOT_FOUND', `There is no session ${id}`, {
    hint: `${meant}\`amux sessions list\` shows what there is; the beginning of an id is enough.`,
  })
}

function ambiguous(id: string, found: readonly { agent: AgentName; sessionId: string }[]): AgentMuxError {
  const names = found.map(({ agent, sessionId }) => unifiedId(agent, sessionId))
  const more = names.length >= MOST_CANDIDATES ? ' and more' : ''
  return new AgentMuxError('VALIDATION_ERROR', `Several sessions begin with ${id}`, {
    hint: `Write more of it: ${names.join(', ')}${more}`,
  })
}
