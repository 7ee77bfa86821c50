import { existsSync } from 'node:fs'
import { AgentMuxError, isAgentMuxError } from '../contract/errors.ts'
import type { AgentName } from '../contract/names.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { SessionCatalogue } from '../sessions/catalogue.ts'
import { readManagedLinks } from '../sessions/managed-links.ts'
import { pathByName } from '../sessions/sources.ts'
import { splitUnifiedId, unifiedId } from '../sessions/unified-id.ts'
import type { Registry } from './registry.ts'
import { sessionActions } from './session-actions.ts'
import { knownStore, ownerOf, sessionHost } from './session-host.ts'

type Environment = Readonly<Record<string, string | undefined>>
type Named = Pick<RunOptions, 'sessionId' | 'forkSessionId'>

/** What a run needs to know of the session that it goes on with. */
export interface SessionPlaces {
  registry: Registry
  /** As the agent will see it. */
  env: Environment
  configDir: string
}

/**
 * The whole ids of the sessions that options name: by an id, its beginning, `agent:id`, or the name of a managed
 * session. Rejects with SESSION_NOT_FOUND before anything starts: several agents would begin a new session instead.
 */
export async function resolveSessions(agent: AgentName, named: Named, places: SessionPlaces): Promise<Named> {
  const { sessionId, forkSessionId } = named
  return {
    ...(sessionId === undefined ? {} : { sessionId: await wholeId(agent, sessionId, places) }),
    ...(forkSessionId === undefined ? {} : { forkSessionId: await wholeId(agent, forkSessionId, places) }),
  }
}

async function wholeId(agent: AgentName, given: string, places: SessionPlaces): Promise<string> {
  const { registry, env, configDir } = places
  const owner = ownerOf(agent)
  const parts = splitUnifiedId(given)
  const isPrefixed = parts !== null && registry.list().some((one) => one.agent === parts.agent)
  if (isPrefixed && ownerOf(parts.agent) !== owner) throw ofAnother(agent, parts.agent, given)
  const id = isPrefixed ? parts.sessionId : given
  const store = registry.get(agent).source === 'built-in' ? knownStore(owner, env) : null
  if (store === null) return id // only the agent knows
  if ((await pathByName(store, id)) !== null) return id
  const host = sessionHost(registry, env, configDir)
  const catalogue = new SessionCatalogue(host)
  try {
    const managed = await readManagedLinks(host.dataDir, ownerOf)
    const link = isPrefixed ? null : managed.conversationOf(given)
    if (link && ownerOf(link.agent) !== owner) throw ofAnother(agent, link.agent, given)
    if (link) return link.sessionId
    const actions = sessionActions(
      catalogue,
      registry,
      env,
      () => configDir,
      async () => managed,
    )
    const found = await actions.resolve(unifiedId(owner, id)).catch(async (error: unknown) => {
      if (!isAgentMuxError(error) || error.code !== 'SESSION_NOT_FOUND') throw error
      await catalogue.locate(agent, id) // one without a word yet has no place in lists
      return { sessionId: id }
    })
    return found.sessionId
  } catch (error) {
    const isKnown = isAgentMuxError(error) && error.code !== 'CONFIG_ERROR'
    const isProven = registry.get(agent).verification === 'verified' || existsSync(store.path)
    // A store that is elsewhere, or cannot be read, proves nothing: the agent says whether it has the session.
    if (isKnown && isProven && catalogue.warnings.length === 0) throw error
    return id
  } finally {
    catalogue.close()
  }
}

function ofAnother(agent: AgentName, other: AgentName, given: string): AgentMuxError {
  return new AgentMuxError('VALIDATION_ERROR', `${given} is a session of ${other}, not of ${agent}`, {
    hint: `\`amux sessions handoff ${given} --to ${agent}\` goes on with it in ${agent}.`,
  })
}
