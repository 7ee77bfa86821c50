import type { ManagedSession } from '../../contract/api/managed-session.ts'

/** What to call a session on the command line. One that an earlier version started may have only an id. */
export function callName({ name, id }: Pick<ManagedSession, 'name' | 'id'>): string {
  return name ?? id
}
