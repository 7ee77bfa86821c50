import type { Inquiry } from '../../contract/inquiry.ts'
import type { DiscoveredModel } from '../../contract/models.ts'
import { asArray, asRecord, asRecords, asString } from '../../core/json.ts'
import { effortLevels } from '../kit/discovered-models.ts'
import { serverInquiry } from './inquiry.ts'

export const models: Inquiry<DiscoveredModel[]> = serverInquiry('model/list', ({ data }) =>
  asRecords(data).flatMap((told): DiscoveredModel[] => {
    const modelId = asString(told.model)
    if (modelId === undefined || told.hidden === true) return []
    const efforts = asRecords(told.supportedReasoningEfforts).map(({ reasoningEffort }) => reasoningEffort)
    const successorModelId = asString(told.upgrade) ?? asString(asRecord(told.upgradeInfo)?.model)
    return [
      {
        modelId,
        displayName: asString(told.displayName),
        thinkingEffortLevels: effortLevels(efforts),
        supportsImageInput: asArray(told.inputModalities).includes('image'),
        deprecated: successorModelId !== undefined,
        successorModelId,
        provider: 'openai',
      },
    ]
  }),
)
