import type { SessionUsage } from '../../contract/api/managed-session.ts'
import type { LaunchRecord } from '../../contract/launch.ts'
import { addSessionUsage, NO_USAGE, type SessionRecord } from './record.ts'

/** The local day of a moment, as `2026-01-31`. */
export function dayOf(at: number): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The first moment of the next local day. */
export function nextDay(at: number): number {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime()
}

/**
 * What these records add to the account, by model. Tokens go to the model that used them; agents report the cost of a
 * run as one sum, which goes to the session's main model.
 */
export function usageSince(
  before: SessionRecord,
  after: SessionRecord,
  records: readonly LaunchRecord[],
): Map<string, SessionUsage> {
  const byModel = new Map<string, SessionUsage>()
  const add = (model: string, more: SessionUsage) =>
    byModel.set(model, addSessionUsage(byModel.get(model) ?? NO_USAGE, more))
  const main = after.model ?? ''
  for (const record of records) {
    if (!('event' in record) || record.event.type !== 'token_usage') continue
    const { inputTokens, outputTokens, cacheReadTokens, cachedTokens, cacheCreationTokens, model } = record.event
    add(model ?? main, {
      ...NO_USAGE,
      inputTokens,
      outputTokens,
      cacheReadTokens: cacheReadTokens ?? cachedTokens ?? 0,
      cacheCreationTokens: cacheCreationTokens ?? 0,
    })
  }
  const [then, now] = [before.current, after.current]
  const turns = now.turns - then.turns
  const unpricedTokens = now.unpricedTokens - then.unpricedTokens
  const costUsd = now.costUsd === null ? null : now.costUsd - (then.costUsd ?? 0)
  if (turns !== 0 || unpricedTokens !== 0 || (costUsd !== null && costUsd !== 0)) {
    add(main, { ...NO_USAGE, turns, unpricedTokens, costUsd })
  }
  return byModel
}
