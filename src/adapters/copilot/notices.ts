import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS, warning } from '../../core/effects.ts'
import { asNumber, asRecords, asString, type JsonRecord, textOf } from '../../core/json.ts'
import { planWindows } from './quota.ts'
import type { DialogueState } from './state.ts'

export function contextCompacted(summary: string, tokensSaved: unknown): Effect[] {
  return [{ emit: { type: 'context_compacted', summary, tokensSaved: asNumber(tokensSaved) ?? 0 } }]
}

export function compacted(data: JsonRecord): Effect[] {
  if (data.success !== false) return contextCompacted(asString(data.summaryContent) ?? '', data.tokensRemoved)
  return [warning(`The context could not be compacted: ${asString(data.error) ?? textOf(data.failureReason)}`)]
}

export function serverStatus(state: DialogueState, { serverName, name, status, error }: JsonRecord): Effect[] {
  const server = textOf(serverName ?? name)
  if (server !== '') state.servers.add(server)
  if (status !== 'failed' && status !== 'needs-auth') return NO_EFFECTS
  return [warning(`MCP server ${server}: ${textOf(error) || status}`)]
}

export function skillsLoaded({ skills }: JsonRecord): Effect[] {
  return asRecords(skills).flatMap(({ name, source, enabled }) =>
    enabled === false ? [] : { emit: { type: 'skill_loaded', skillName: textOf(name), source: textOf(source) } },
  )
}

/** Not reported with a provider of one's own. Input counts the cache, too. */
export function usage(data: JsonRecord): Effect[] {
  const cacheReadTokens = asNumber(data.cacheReadTokens) ?? 0
  const quota = planWindows(data.quotaSnapshots)
  return [
    ...(quota.length > 0 ? [{ quota }] : []),
    {
      emit: {
        type: 'token_usage',
        inputTokens: asNumber(data.inputTokens) ?? 0,
        outputTokens: asNumber(data.outputTokens) ?? 0,
        thinkingTokens: asNumber(data.reasoningTokens),
        cachedTokens: cacheReadTokens,
        cacheReadTokens,
        cacheCreationTokens: asNumber(data.cacheWriteTokens) ?? 0,
        model: asString(data.model),
      },
    },
  ]
}
