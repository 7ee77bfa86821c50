import type { Inquiry } from '../../contract/inquiry.ts'
import type { DiscoveredModel } from '../../contract/models.ts'
import { asNumber, asRecord, asRecords, asString } from '../../core/json.ts'
import { effortLevels } from '../kit/discovered-models.ts'
import { messageLines, recordsOf, resultOf } from '../kit/inquiry.ts'

const HELLO = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } }

/** In its answer to the first message of the protocol, with or without a login. */
export const models: Inquiry<DiscoveredModel[]> = {
  args: ['agent', 'stdio'],
  input: messageLines([HELLO]),
  read: (stdout) => {
    const result = resultOf(recordsOf(stdout), 1)
    const state = asRecord(asRecord(result?._meta)?.modelState)
    return result && asRecords(state?.availableModels).flatMap(modelOf)
  },
}

function modelOf({ modelId, name, _meta }: Record<string, unknown>): DiscoveredModel[] {
  const id = asString(modelId)
  const meta = asRecord(_meta)
  if (id === undefined) return []
  const efforts = asRecords(meta?.reasoningEfforts).map(({ value }) => value)
  return [
    {
      modelId: id,
      displayName: asString(name),
      contextWindow: asNumber(meta?.totalContextTokens),
      thinkingEffortLevels: effortLevels(efforts),
    },
  ]
}
