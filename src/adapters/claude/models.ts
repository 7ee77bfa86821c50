import type { Inquiry } from '../../contract/inquiry.ts'
import type { DiscoveredModel } from '../../contract/models.ts'
import { asRecords, asString } from '../../core/json.ts'
import { controlInquiry } from '../families/claude-stream/inquiry.ts'
import { effortLevels } from '../kit/discovered-models.ts'
import { INQUIRY_ARGS } from './inquiry.ts'

/** By the names of a menu, of which `default` is one of the others. */
export const models: Inquiry<DiscoveredModel[]> = controlInquiry(INQUIRY_ARGS, 'list_models', (answer) =>
  asRecords(answer.models).flatMap(
    ({ value, resolvedModel, displayName, supportedEffortLevels }): DiscoveredModel[] => {
      const alias = asString(value)
      const modelId = asString(resolvedModel) ?? alias
      if (modelId === undefined || alias === 'default') return []
      return [
        {
          modelId,
          modelAlias: alias,
          cliArgValue: alias,
          displayName: asString(displayName),
          thinkingEffortLevels: effortLevels(supportedEffortLevels),
          provider: 'anthropic',
        },
      ]
    },
  ),
)
