import type { ReportedUsage, UsageRow } from '../contract/session-store.ts'

/** What a token of each kind costs in comparison, where no list price says it better. */
const TYPICAL = { fresh: 1, output: 5, cacheRead: 0.1, cacheCreation: 1.25 }

function typicalWeight(row: UsageRow): number {
  const fresh = row.inputTokens - row.cacheReadTokens - row.cacheCreationTokens
  return (
    Math.max(0, fresh) * TYPICAL.fresh +
    row.outputTokens * TYPICAL.output +
    row.cacheReadTokens * TYPICAL.cacheRead +
    row.cacheCreationTokens * TYPICAL.cacheCreation
  )
}

const COUNTS = ['inputTokens', 'outputTokens', 'thinkingTokens', 'cacheReadTokens', 'cacheCreationTokens'] as const

const HELPER = 'helper:'

export function isHelper({ key }: UsageRow): boolean {
  return key.startsWith(HELPER)
}

/** `claude-opus-4-5[1m]` is the same model with more room. */
function plainName(model: string): string {
  return model.replace(/\[[^\]]*\]$/, '')
}

/**
 * What a session has used beyond its requests in the transcript: titles, summaries and other work of helpers. Null
 * when the sum is smaller than its parts, and so not a sum of these parts.
 */
function remainder(sum: ReportedUsage, rows: readonly UsageRow[], at: number): UsageRow | null {
  const rest: UsageRow = { ...sum, key: `${HELPER}${sum.model}`, at, costUsd: undefined }
  for (const name of COUNTS) rest[name] -= rows.reduce((total, row) => total + row[name], 0)
  if (rest.inputTokens < 0 || rest.outputTokens < 0) return null
  for (const name of COUNTS) rest[name] = Math.max(0, rest[name])
  return rest
}

export interface SharedCost {
  /** What each request has cost by what the agent says, as far as it says it. */
  costs: Map<UsageRow, number>
  helpers: UsageRow[]
}

/**
 * An agent that adds up a whole session, helpers and copied turns included, tells by that what each request has cost:
 * its share of the sum, by list price or else by what tokens cost in comparison.
 */
export function shareCost(
  reported: readonly ReportedUsage[],
  reportedAt: number,
  rows: readonly UsageRow[],
  listPrice: (row: UsageRow) => number | null,
): SharedCost {
  const shared: SharedCost = { costs: new Map(), helpers: [] }
  const parts = new Map(reported.map((sum) => [plainName(sum.model), part(sum)]))
  for (const row of rows) {
    if (row.at > reportedAt) continue
    const own = parts.get(plainName(row.model ?? ''))
    // Sums that leave out a model are not sums of this session, or call it by a name that we do not know.
    if (!own) return shared
    own.rows.push(row)
  }
  for (const { sum, rows: own } of parts.values()) {
    const rest = remainder(sum, own, reportedAt)
    if (!rest) continue
    if (rest.inputTokens + rest.outputTokens > 0) {
      shared.helpers.push(rest)
      own.push(rest)
    }
    if (sum.costUsd !== undefined) divide(sum.costUsd, own, listPrice, shared.costs)
  }
  return shared
}

function part(sum: ReportedUsage): { sum: ReportedUsage; rows: UsageRow[] } {
  return { sum, rows: [] }
}

function divide(
  costUsd: number,
  rows: readonly UsageRow[],
  listPrice: (row: UsageRow) => number | null,
  costs: Map<UsageRow, number>,
): void {
  const prices = rows.map(listPrice)
  const weights = prices.some((price) => price === null) ? rows.map(typicalWeight) : prices.map((price) => price ?? 0)
  const total = weights.reduce((a, b) => a + b, 0)
  for (const [index, row] of rows.entries()) {
    costs.set(row, total === 0 ? costUsd / rows.length : (costUsd * (weights[index] ?? 0)) / total)
  }
}
