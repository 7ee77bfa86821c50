import type { DaemonClient } from '../../client/index.ts'
import type { ManagedSession } from '../../contract/api/managed-session.ts'
import { AgentMuxError, isAgentMuxError } from '../../contract/errors.ts'
import type { CommandContext, GlobalValues } from '../command.ts'

/** The managed session that is called so; null when there is none. */
export async function findManaged(client: DaemonClient, id: string): Promise<ManagedSession | null> {
  try {
    return await client.call('getSession', { id })
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

/** The same, or an error that says what the user can do with what is called so. */
export async function requireManaged(
  client: DaemonClient,
  id: string,
  flags: GlobalValues,
  context: CommandContext,
): Promise<ManagedSession> {
  const found = await findManaged(client, id)
  if (found) return found
  const { sessions } = await context.client(flags)
  const { agent, sessionId } = await sessions.resolve(id).finally(() => sessions.close())
  const name = `${agent}:${sessionId}`
  throw new AgentMuxError('SESSION_NOT_FOUND', `${name} is a conversation that does not run in the background`, {
    hint: `\`amux show ${id}\` shows it; \`amux spawn ${agent} --session ${id} "…"\` goes on with it there.`,
  })
}

function isNotFound(error: unknown): boolean {
  return isAgentMuxError(error) && error.code === 'SESSION_NOT_FOUND'
}
