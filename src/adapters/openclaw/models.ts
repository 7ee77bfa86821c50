import type { Inquiry } from '../../contract/inquiry.ts'
import type { DiscoveredModel } from '../../contract/models.ts'
import { asNumber, asRecords, asString, parseRecord } from '../../core/json.ts'

/** Its whole catalogue, whether there is a key for the provider or not. */
export const models: Inquiry<DiscoveredModel[]> = {
  args: ['models', 'list', '--all', '--json'],
  read: (stdout) =>
    asRecords(parseRecord(stdout)?.models).flatMap(({ key, name, contextWindow, input }): DiscoveredModel[] => {
      const modelId = asString(key)
      if (modelId === undefined) return []
      return [
        {
          modelId,
          displayName: asString(name),
          contextWindow: asNumber(contextWindow),
          supportsImageInput: asString(input)?.includes('image') ?? false,
        },
      ]
    }),
}
