import type { ReportedUsage, UsageRow } from '../contract/session-store.ts'
import type { Requests } from './requests.ts'

/** What a token of each kind costs in comparison, where no list price says it better. */
const TYPICAL = { fresh: 1, output: 5, cacheRead: 0.1, cacheCreation: 1.25 }

function typicalWeight(counts: Omit<UsageRow, 'key' | 'at'>): number {
  const fresh = counts.inputTokens - counts.cacheReadTokens - counts.cacheCreationTokens
  return (
    Math.max(0, fresh) * TYPICAL.fresh +
    counts.outputTokens * TYPICAL.output +
    counts.cacheReadTokens * TYPICAL.cacheRead +
    counts.cacheCreationTokens * TYPICAL.cacheCreation
  )
}

const COUNTS = ['inputTokens', 'outputTokens', 'thinkingTokens', 'cacheReadTokens', 'cacheCreationTokens'] as const

/** `claude-opus-4-5[1m]` is the same model with more room. */
function plainName(model: string): string {
  return model.replace(/\[[^\]]*\]$/, '')
}

/** A sum, and what it is the sum of. */
interface Part {
  sum: ReportedUsage
  rows: { requests: Requests; row: number }[]
}

/** Null when the sums leave out a model: then they are not of this session, or call it by a name that we do not know. */
function partsOf(reported: readonly ReportedUsage[], at: number, sources: readonly Requests[]): Part[] | null {
  const parts = new Map(reported.map((sum): [string, Part] => [plainName(sum.model), { sum, rows: [] }]))
  for (const requests of sources) {
    for (let row = 0; row < requests.length; row++) {
      if (requests.at(row) > at) continue
      const part = parts.get(plainName(requests.model(row)))
      if (!part) return null
      part.rows.push({ requests, row })
    }
  }
  return [...parts.values()]
}

/**
 * What a session has used beyond its requests in the transcript: titles, summaries and other work of helpers. Null
 * when the sum is smaller than its parts, and so not a sum of these parts.
 */
function remainder({ sum, rows }: Part, at: number): UsageRow | null {
  const rest: UsageRow = { ...sum, key: `helper ${sum.model}`, at, costUsd: undefined }
  for (const { requests, row } of rows) {
    const counts = requests.counts(row)
    for (const name of COUNTS) rest[name] -= counts[name]
  }
  if (rest.inputTokens < 0 || rest.outputTokens < 0) return null
  for (const name of COUNTS) rest[name] = Math.max(0, rest[name])
  return rest
}

/**
 * An agent that adds up a whole session, helpers and copied turns included, gives the cost of each request, too:
 * its share of the sum, by list price or else by what tokens cost in comparison. Gives what the helpers have used.
 */
export function shareCost(
  reported: readonly ReportedUsage[],
  reportedAt: number,
  sources: readonly Requests[],
  listPrice: (row: UsageRow) => number | null,
): UsageRow[] {
  const helpers: UsageRow[] = []
  for (const part of partsOf(reported, reportedAt, sources) ?? []) {
    const rest = remainder(part, reportedAt)
    if (!rest) continue
    const hasHelpers = rest.inputTokens + rest.outputTokens > 0
    const helperCost = divide(part, hasHelpers ? rest : null, listPrice)
    if (hasHelpers) helpers.push({ ...rest, costUsd: helperCost })
  }
  return helpers
}

/** Gives each request its share, and says what is left for the helpers. */
function divide({ sum, rows }: Part, rest: UsageRow | null, listPrice: (row: UsageRow) => number | null) {
  const { costUsd } = sum
  if (costUsd === undefined) return undefined
  const prices = [...rows.map(({ requests, row }) => requests.listPrice(row)), ...(rest ? [listPrice(rest)] : [])]
  const counts = [...rows.map(({ requests, row }) => requests.counts(row)), ...(rest ? [rest] : [])]
  const weights = prices.includes(null) ? counts.map(typicalWeight) : prices.map((price) => price ?? 0)
  const total = weights.reduce((a, b) => a + b, 0)
  const shareOf = (index: number) =>
    total === 0 ? costUsd / weights.length : (costUsd * (weights[index] ?? 0)) / total
  for (const [index, { requests, row }] of rows.entries()) requests.setShare(row, shareOf(index))
  return rest ? shareOf(rows.length) : undefined
}
