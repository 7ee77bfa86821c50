import { dirname, join } from 'node:path'
import type { SessionSidecars } from '../../contract/session-store.ts'
import { asRecord, asRecords, asString, type JsonRecord, textOf } from '../../core/json.ts'

/** What a person said; null for anything else. Reminders that the CLI adds in his name have another origin. */
export function promptText({ role, content, origin }: JsonRecord): string | null {
  if (role !== 'user' || asRecord(origin)?.kind !== 'user') return null
  return textOf(asRecords(content).filter(({ type }) => type === 'text'))
}

export function stateFileOf(filePath: string): string {
  return join(dirname(dirname(dirname(filePath))), 'state.json')
}

export const beside: SessionSidecars = {
  paths: (filePath) => [stateFileOf(filePath)],
  read(facts, [state = {}]) {
    facts.cwd = asString(state.cwd) ?? facts.cwd
    facts.forkedFrom = asString(state.forkedFrom)
    return []
  },
}
