import { opencodeSessions } from '../families/opencode/session-tables.ts'
import { dialect } from './dialect.ts'

export const sessions = opencodeSessions(dialect)
