import type { SessionFiles } from '../contract/session-store.ts'

/** For agents whose store is not known, or is not on this machine. */
export const noSessions: SessionFiles = {
  isSession: () => false,
  read: async (_lines, filePath) => {
    throw new Error(`${filePath}: the sessions of this agent cannot be read`)
  },
}
