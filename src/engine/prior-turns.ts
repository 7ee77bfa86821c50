import type { SpawnArgs } from '../contract/spawn.ts'
import type { RunRequest } from './run.ts'

/** A store that takes longer to read must not keep the agent waiting. */
const MOST_MS = 2000
/** Nothing is as new as this: only the files that bear the session's name are read. */
const NO_OTHERS = Number.MAX_SAFE_INTEGER

/** How many turns the session had that this run resumes, by the agent's own store. Null where that is not known. */
export async function priorTurns(
  { options, processEnv, openUsage }: RunRequest,
  args: SpawnArgs,
  mostMs = MOST_MS,
): Promise<number | null> {
  const { sessionId } = options
  if (!openUsage || sessionId === undefined) return null
  const count = async () => {
    const source = await openUsage({ ...processEnv, ...args.env, ...options.env }, NO_OTHERS)
    return source?.turns(sessionId) ?? null
  }
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), mostMs)
  })
  const known = await Promise.race([count().catch(() => null), late]).finally(() => clearTimeout(timer))
  // A store that knows the session but none of its turns knows too little of it.
  return known === 0 ? null : known
}
