import type { Account, Quota } from '../../contract/api/quota.ts'
import type { Output } from '../output.ts'
import { type Cell, headings, table } from '../table.ts'
import { oneLine } from '../text.ts'
import { formatTime } from '../times.ts'

/** `default`, or what makes it another one. */
export function accountText(account: Account | null): string {
  if (account === null) return 'signed in'
  const { id, endpoint, key, profile } = account
  const parts = [endpoint, key && `key ${key}`, profile && `profile ${profile}`].filter((part) => part !== null)
  return [...parts, id].join(', ')
}

/** One line for each window of each account; one that is parked, or at a limit of unknown end, has a line of its own. */
export function quotaText(rows: readonly Quota[], output: Output, now: number): string {
  const header = headings(['AGENT', 'WINDOW', 'USED', 'RESETS', 'ACCOUNT'], { optional: ['ACCOUNT'] })
  const lines = rows.flatMap(({ agent, account, parkedUntil, why, status }): (string | Cell)[][] => {
    const who = accountText(account)
    const windows = (status?.windows ?? []).map(({ windowType, usedPercentage, resetsAt, isExhausted }) => [
      agent,
      windowType,
      { text: usedPercentage === null ? '-' : `${Math.round(usedPercentage)}%`, style: isExhausted ? 'red' : 'green' },
      resetsAt === null ? '-' : formatTime(resetsAt),
      who,
    ]) satisfies (string | Cell)[][]
    if (parkedUntil === null && why !== null) return [...windows, [agent, 'limit', '-', '-', `${who}: ${oneLine(why)}`]]
    if (parkedUntil === null || parkedUntil <= now) return windows
    const parked: Cell = { text: 'parked', style: 'yellow' }
    return [...windows, [agent, parked, '-', formatTime(parkedUntil), `${who}: ${oneLine(why ?? '')}`]]
  })
  return table([header, ...lines], output.paint(), output.width)
}
