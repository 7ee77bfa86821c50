import type { Inquiry } from '../../contract/inquiry.ts'
import type { DiscoveredModel } from '../../contract/models.ts'
import { asNumber, asRecords, asString } from '../../core/json.ts'
import { controlInquiry } from '../families/claude-stream/inquiry.ts'

/** What the user has set up as modelProviders: of others it says nothing. */
export const models: Inquiry<DiscoveredModel[]> = controlInquiry(
  ['--chat-recording=false'],
  'get_available_models',
  (answer) =>
    asRecords(answer.models).flatMap(({ id, label, contextWindowSize }): DiscoveredModel[] => {
      const modelId = asString(id)
      if (modelId === undefined) return []
      return [{ modelId, displayName: asString(label), contextWindow: asNumber(contextWindowSize) }]
    }),
)
