import type { Inquiry } from '../../../contract/inquiry.ts'
import type { DiscoveredModel } from '../../../contract/models.ts'
import { asNumber, asRecord, asString, parseRecord } from '../../../core/json.ts'
import { effortLevels } from '../../kit/discovered-models.ts'

/** Each model is its name on a line, and a JSON object over several. Only those of providers that can be used. */
export const models: Inquiry<DiscoveredModel[]> = {
  args: ['models', '--verbose'],
  read: (stdout) => stdout.split(/^(?=\S+\/\S+$)/m).flatMap(modelOf),
}

function modelOf(part: string): DiscoveredModel[] {
  const end = part.indexOf('\n')
  const reported = parseRecord(part.slice(end + 1))
  const modelId = part.slice(0, end).trim()
  if (!reported || modelId === '') return []
  const [limit, cost] = [asRecord(reported.limit), asRecord(reported.cost)]
  const capabilities = asRecord(reported.capabilities)
  const input = asRecord(capabilities?.input)
  return [
    {
      modelId,
      displayName: asString(reported.name),
      provider: asString(reported.providerID),
      providerModelId: asString(reported.id),
      contextWindow: asNumber(limit?.context),
      maxOutputTokens: asNumber(limit?.output),
      inputPricePerMillion: asNumber(cost?.input),
      outputPricePerMillion: asNumber(cost?.output),
      cachedInputPricePerMillion: asNumber(asRecord(cost?.cache)?.read),
      supportsThinking: capabilities?.reasoning === true,
      supportsToolCalling: capabilities?.toolcall === true,
      supportsImageInput: input?.image === true,
      thinkingEffortLevels: effortLevels(Object.keys(asRecord(reported.variants) ?? {})),
      deprecated: reported.status === 'deprecated',
    },
  ]
}
