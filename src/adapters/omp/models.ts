import type { Inquiry } from '../../contract/inquiry.ts'
import type { DiscoveredModel } from '../../contract/models.ts'
import { asArray, asNumber, asRecord, asRecords, asString, parseRecord } from '../../core/json.ts'
import { effortLevels } from '../kit/discovered-models.ts'

/** Of the providers that there is a key for. */
export const models: Inquiry<DiscoveredModel[]> = {
  args: ['models', '--json'],
  read: (stdout) =>
    asRecords(parseRecord(stdout)?.models).flatMap((told): DiscoveredModel[] => {
      const modelId = asString(told.selector)
      const cost = asRecord(told.cost)
      if (modelId === undefined) return []
      return [
        {
          modelId,
          displayName: asString(told.name),
          provider: asString(told.provider),
          providerModelId: asString(told.id),
          contextWindow: asNumber(told.contextWindow),
          maxOutputTokens: asNumber(told.maxTokens),
          inputPricePerMillion: asNumber(cost?.input),
          outputPricePerMillion: asNumber(cost?.output),
          cachedInputPricePerMillion: asNumber(cost?.cacheRead),
          supportsThinking: told.reasoning === true,
          supportsImageInput: asArray(told.input).includes('image'),
          thinkingEffortLevels: effortLevels(told.thinking),
        },
      ]
    }),
}
