import type { Inquiry } from '../../contract/inquiry.ts'
import type { DiscoveredModel } from '../../contract/models.ts'
import { asArray, asNumber, asRecord, asRecords, asString, parseRecord } from '../../core/json.ts'
import { effortLevels } from '../kit/discovered-models.ts'

/** Of the providers that there is a key for. */
export const models: Inquiry<DiscoveredModel[]> = {
  args: ['models', '--json'],
  read: (stdout) =>
    asRecords(parseRecord(stdout)?.models).flatMap((reported): DiscoveredModel[] => {
      const modelId = asString(reported.selector)
      const cost = asRecord(reported.cost)
      if (modelId === undefined) return []
      return [
        {
          modelId,
          displayName: asString(reported.name),
          provider: asString(reported.provider),
          providerModelId: asString(reported.id),
          contextWindow: asNumber(reported.contextWindow),
          maxOutputTokens: asNumber(reported.maxTokens),
          inputPricePerMillion: asNumber(cost?.input),
          outputPricePerMillion: asNumber(cost?.output),
          cachedInputPricePerMillion: asNumber(cost?.cacheRead),
          supportsThinking: reported.reasoning === true,
          supportsImageInput: asArray(reported.input).includes('image'),
          thinkingEffortLevels: effortLevels(reported.thinking),
        },
      ]
    }),
}
