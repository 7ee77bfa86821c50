import { flagEntries, isOptionName } from '../../contract/options.ts'
import type { SessionRecord } from './record.ts'

/** What a person types to bring a session back that needs these options again. */
export function restoreCommand({ id, name }: Pick<SessionRecord, 'id' | 'name'>, missing: readonly string[]): string {
  return `\`${['amux restore', name ?? id, ...missing.map(asTyped)].join(' ')}\``
}

function asTyped(option: string): string {
  if (option === 'prompt') return '"…"'
  return `--${(isOptionName(option) && flagEntries(option)[0]?.[0]) || option} …`
}
