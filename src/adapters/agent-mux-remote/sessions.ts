import { noSessions } from '../no-sessions.ts'

/** The other agent-mux has them. */
export const sessions = noSessions
