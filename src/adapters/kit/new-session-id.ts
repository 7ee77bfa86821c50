import { type FieldError, ValidationError } from '../../contract/errors.ts'
import type { RunOptions } from '../../contract/run-options.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

interface IdRules {
  /** What an id has to look like; anything will do without it. */
  form?: { pattern: RegExp; words: string }
  /** A copy of a session can be given an id as well. */
  forForks: boolean
}

export const UUID_FORM = { pattern: UUID, words: 'a UUID' }

/** What is wrong with the id that the caller has chosen for a new session. */
export function newSessionIdFaults(options: RunOptions, { form, forForks }: IdRules): FieldError[] {
  const { newSessionId, sessionId, forkSessionId } = options
  if (newSessionId === undefined) return []
  const expected = form?.words ?? 'no other session'
  const fault = (message: string): FieldError => ({ field: 'newSessionId', message, received: newSessionId, expected })
  const faults = form === undefined || form.pattern.test(newSessionId) ? [] : [fault(`must be ${form.words}`)]
  if (sessionId !== undefined) faults.push(fault('cannot be given with sessionId: resuming keeps the id'))
  if (forkSessionId !== undefined && !forForks) faults.push(fault('cannot be given with forkSessionId'))
  return faults
}

/** For agents that have nothing else to say against it. */
export function checkNewSessionId(options: RunOptions, rules: IdRules): void {
  const faults = newSessionIdFaults(options, rules)
  if (faults.length > 0) throw new ValidationError(faults)
}
