import { AgentMuxError, isAgentMuxError } from '../contract/errors.ts'

/** What is wrong with the disk or the database, as the user can fix it; null for any other error. */
export function storageTrouble(error: unknown): AgentMuxError | null {
  if (isAgentMuxError(error) || !(error instanceof Error)) return null
  const options = { recoverable: true, cause: error }
  // The log may not say: it is on the same disk.
  if (/ENOSPC|EDQUOT|disk is full/.test(error.message)) {
    const hint = 'Make room, then try again.'
    return new AgentMuxError('STORAGE_ERROR', 'There is no room left on the disk of the daemon', { ...options, hint })
  }
  if (/database is locked/.test(error.message)) {
    const hint = 'Try again when that program has ended.'
    return new AgentMuxError('STORAGE_ERROR', "Another program holds the daemon's database", { ...options, hint })
  }
  return isDamage(error) ? damagedDatabase("The daemon's database", error) : null
}

export function isStorageTrouble(error: unknown): boolean {
  return storageTrouble(error) !== null
}

/** As SQLite says it. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && /not a database|malformed|disk I\/O error/.test(error.message)
}

/** One that is damaged is not ours to throw away: somebody may be able to fix it. */
export function damagedDatabase(what: string, cause: unknown): AgentMuxError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new AgentMuxError('STORAGE_ERROR', `${what} is damaged: ${why}`, {
    hint: 'Stop the daemon, then `amux backup restore FILE` puts a backup in its place; without one, move daemon.db away to start again. Agents keep their own conversations.',
    cause,
  })
}
