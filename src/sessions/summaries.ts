import type { AgentName } from '../contract/names.ts'
import type { SessionListOptions } from '../contract/session-manager.ts'
import type { SessionSummary } from '../contract/sessions.ts'
import { asNumber, asString, type JsonRecord } from '../core/json.ts'
import { roundUsd } from '../core/usage.ts'
import type { Database } from '../files/sqlite.ts'
import type { Condition } from './filter.ts'
import { number, text } from './tables.ts'
import { unifiedId } from './unified-id.ts'

const ORDER = { date: 'source.updated_at', cost: 'cost', turns: 'source.turn_count' }

/** Several files may hold one session: then the one with the most in it describes it. */
const SUMMARY = `
  SELECT source.agent, source.session_id, source.title, source.created_at, source.updated_at, source.turn_count,
    source.message_count, source.model, source.cwd, source.forked_from, max(source.message_count) AS most,
    spent.usd AS cost, spent.estimated, spent.input, spent.output, spent.thinking, spent.cache_read,
    spent.cache_creation
  FROM source`

/** What each session with its sub-agents has spent; without a price for one request there is none for the session. */
const SPENT = `
  LEFT JOIN (
    SELECT agent, root_id, sum(input) AS input, sum(output) AS output, sum(thinking) AS thinking,
      sum(cache_read) AS cache_read, sum(cache_creation) AS cache_creation,
      CASE WHEN sum(unpriced) = 0 THEN sum(usd) END AS usd, sum(estimated) AS estimated
    FROM source GROUP BY agent, root_id
  ) AS spent ON spent.agent = source.agent AND spent.root_id = source.root_id`

export function listSummaries(
  database: Database,
  condition: Condition,
  { limit = 100, sort = 'date', sortDirection = 'desc' }: SessionListOptions<number>,
): SessionSummary[] {
  const direction = sortDirection === 'asc' ? 'ASC' : 'DESC'
  const rows = database
    .prepare(
      `${SUMMARY} ${SPENT} WHERE ${condition.sql} GROUP BY source.agent, source.session_id
       ORDER BY ${ORDER[sort]} ${direction} NULLS LAST, source.session_id LIMIT ?`,
    )
    .all(...condition.params, limit)
  return rows.map(summaryOf)
}

function summaryOf(row: JsonRecord): SessionSummary {
  const agent: AgentName = text(row.agent)
  const sessionId = text(row.session_id)
  const totalUsd = asNumber(row.cost)
  const counts = {
    inputTokens: number(row.input),
    outputTokens: number(row.output),
    thinkingTokens: number(row.thinking),
    cachedTokens: number(row.cache_read),
    cacheReadTokens: number(row.cache_read),
    cacheCreationTokens: number(row.cache_creation),
  }
  return {
    agent,
    sessionId,
    unifiedId: unifiedId(agent, sessionId),
    title: text(row.title),
    createdAt: number(row.created_at),
    updatedAt: number(row.updated_at),
    turnCount: number(row.turn_count),
    messageCount: number(row.message_count),
    model: asString(row.model),
    cost:
      totalUsd === undefined
        ? undefined
        : {
            totalUsd: roundUsd(totalUsd),
            ...counts,
            source: number(row.estimated) > 0 ? 'price-table' : 'agent',
          },
    costSource: totalUsd === undefined ? 'unpriced' : number(row.estimated) > 0 ? 'estimated' : 'reported',
    tokenUsage: { ...counts, totalTokens: counts.inputTokens + counts.outputTokens },
    tags: [],
    cwd: asString(row.cwd),
    forkedFrom: asString(row.forked_from),
  }
}
