import type { SessionSidecars } from '../../contract/session-store.ts'
import type { TokenUsage } from '../../contract/usage.ts'
import { asRecord, asString, type JsonRecord, textOf } from '../../core/json.ts'
import { usageRow } from '../../core/session-log.ts'
import { netCounts, withTotal } from '../../core/usage.ts'

/** What the CLI itself says in the user's name. */
const INJECTED = /^<system-(reminder|notification)>/

/** The text of all blocks of a kind. */
export function wordsIn(blocks: readonly JsonRecord[], type: string): string {
  return blocks
    .filter((block) => block.type === type)
    .map((block) => textOf(block[type]))
    .filter((text) => !INJECTED.test(text))
    .join('\n')
}

/** Sub-agents included. */
export function readUsage(settings: JsonRecord | undefined): TokenUsage | undefined {
  return usageIn(asRecord(settings?.inclusiveTokenUsage)) ?? ownUsage(settings)
}

/** Without sub-agents, who have files of their own. */
function ownUsage(settings: JsonRecord | undefined): TokenUsage | undefined {
  return usageIn(asRecord(settings?.tokenUsage))
}

function usageIn(native: JsonRecord | undefined): TokenUsage | undefined {
  if (!native) return undefined
  const { inputTokens: input, outputTokens: output, thinkingTokens: thinking } = native
  const { cacheReadTokens: cacheRead, cacheCreationTokens: cacheCreation } = native
  return withTotal(netCounts({ input, output, thinking, cacheRead, cacheCreation }))
}

/** The counts are beside the conversation, and only as a sum. */
export function settingsOf(filePath: string): string {
  return filePath.replace(/\.jsonl$/, '.settings.json')
}

/** As it is asked for: the CLI names the models of an endpoint with this before them, and prices are without it. */
function pricedName(model: string | undefined): string | undefined {
  return model?.replace(/^custom:/, '')
}

export const beside: SessionSidecars = {
  paths: (filePath) => [settingsOf(filePath)],
  read(facts, [settings]) {
    const usage = ownUsage(settings)
    const model = pricedName(facts.model ?? asString(settings?.model))
    return usage ? [usageRow(facts.sessionId, facts.updatedAt, model, usage)] : []
  },
}
