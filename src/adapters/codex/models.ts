import type { Inquiry } from '../../contract/inquiry.ts'
import type { DiscoveredModel } from '../../contract/models.ts'
import { asArray, asRecord, asRecords, asString } from '../../core/json.ts'
import { effortLevels } from '../kit/discovered-models.ts'
import { serverInquiry } from './inquiry.ts'

export const models: Inquiry<DiscoveredModel[]> = serverInquiry('model/list', ({ data }) =>
  asRecords(data).flatMap((reported): DiscoveredModel[] => {
    const modelId = asString(reported.model)
    if (modelId === undefined || reported.hidden === true) return []
    const efforts = asRecords(reported.supportedReasoningEfforts).map(({ reasoningEffort }) => reasoningEffort)
    const successorModelId = asString(reported.upgrade) ?? asString(asRecord(reported.upgradeInfo)?.model)
    return [
      {
        modelId,
        displayName: asString(reported.displayName),
        thinkingEffortLevels: effortLevels(efforts),
        supportsImageInput: asArray(reported.inputModalities).includes('image'),
        deprecated: successorModelId !== undefined,
        successorModelId,
        provider: 'openai',
      },
    ]
  }),
)
