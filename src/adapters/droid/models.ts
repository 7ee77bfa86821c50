import type { Inquiry } from '../../contract/inquiry.ts'
import type { DiscoveredModel } from '../../contract/models.ts'
import { asRecord, asRecords, asString, type JsonRecord } from '../../core/json.ts'
import { effortLevels } from '../kit/discovered-models.ts'
import { messageLines, recordsOf } from '../kit/inquiry.ts'
import { ENVELOPE, RPC_ARGS } from './rpc.ts'

/** With a key those of Factory, and those that the user has added; without one only the latter. It needs no session. */
export const models: Inquiry<DiscoveredModel[]> = {
  args: RPC_ARGS,
  input: messageLines([{ ...ENVELOPE, type: 'request', id: 'models', method: 'droid.list_models', params: {} }]),
  read: (stdout) => {
    const answer = recordsOf(stdout).find(({ type, id }) => type === 'response' && id === 'models')
    return answer ? asRecords(asRecord(answer.result)?.models).flatMap(modelOf) : null
  },
}

function modelOf(reported: JsonRecord): DiscoveredModel[] {
  const modelId = asString(reported.id)
  if (modelId === undefined || reported.disabled === true) return []
  const thinkingEffortLevels = effortLevels(reported.supportedReasoningEfforts)
  return [
    {
      modelId,
      displayName: asString(reported.displayName),
      provider: asString(reported.modelProvider),
      deprecated: reported.deprecated === true,
      supportsThinking: thinkingEffortLevels !== undefined,
      thinkingEffortLevels,
      supportsImageInput: reported.noImageSupport !== true,
      supportsFileInput: reported.supportsPDFs === true,
    },
  ]
}
