import { opencodeSessions } from '../../core/opencode/session-tables.ts'
import { dialect } from './dialect.ts'

export const sessions = opencodeSessions(dialect)
