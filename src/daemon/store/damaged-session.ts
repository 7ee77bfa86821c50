import { isRecord, type JsonRecord } from '../../core/json.ts'
import { newSession, type SessionRecord } from '../sessions/record.ts'

/** Whether a row holds a session that the rest of the daemon can work with. */
export function isSessionRecord(value: unknown): value is SessionRecord {
  if (!isRecord(value) || !isRecord(value.evidence)) return false
  const { evidence } = value
  const texts = [value.id, value.agent, value.mode].every((one) => typeof one === 'string')
  const records = [value.workspace, value.options, value.metadata, value.earlier, value.current].every(isRecord)
  const isJudged = isRecord(evidence.standing) && isRecord(evidence.dialogs)
  const counts = [value.createdAt, value.updatedAt, value.launch].every((one) => typeof one === 'number')
  return texts && records && isJudged && counts && Array.isArray(value.pending) && typeof value.isLive === 'boolean'
}

/** What the other columns, and its launches, still report about a session whose record cannot be read. */
export interface Remains {
  row: JsonRecord
  launch: number
  isLive: boolean
}

/** Enough to see that it is there and what is wrong, to kill it and to remove it. */
export function damagedSession({ row, launch, isLive }: Remains): SessionRecord {
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const session = newSession({
    ...{ id: text(row.id), name: typeof row.name === 'string' ? row.name : null, agent: text(row.agent) },
    ...{ mode: 'headless', workspace: { kind: 'directory', path: '/' }, options: {}, terminal: null },
    ...{ secretOptions: [], createdAt: Number(row.created_at) || 0 },
  })
  const damage = 'Its record in the database is damaged: kill and remove it, or restore a backup'
  return { ...session, launch, isLive, damage, outcome: { kind: 'failed', code: 'STORAGE_ERROR', evidence: damage } }
}
