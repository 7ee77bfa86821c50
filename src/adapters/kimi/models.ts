import type { Inquiry } from '../../contract/inquiry.ts'
import type { DiscoveredModel } from '../../contract/models.ts'
import { asArray, asNumber, asRecord, asString, parseRecord } from '../../core/json.ts'

/** What the user has set up: it knows no others. */
export const models: Inquiry<DiscoveredModel[]> = {
  args: ['provider', 'list', '--json'],
  read: (stdout) =>
    Object.entries(asRecord(parseRecord(stdout)?.models) ?? {}).map(([modelId, reported]): DiscoveredModel => {
      const facts = asRecord(reported) ?? {}
      const provider = asString(facts.provider)
      const providerModelId = asString(facts.model)
      const abilities = asArray(facts.capabilities ?? ['thinking', 'image_in'])
      return {
        ...{ modelId, provider, providerModelId },
        contextWindow: asNumber(facts.maxContextSize) ?? asNumber(facts.max_context_size),
        supportsThinking: abilities.some((ability) => `${ability}`.includes('thinking')),
        supportsImageInput: abilities.includes('image_in'),
      }
    }),
}
