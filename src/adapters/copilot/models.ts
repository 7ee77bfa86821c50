import type { Inquiry } from '../../contract/inquiry.ts'
import type { DiscoveredModel } from '../../contract/models.ts'
import { asNumber, asRecord, asRecords, asString, type JsonRecord } from '../../core/json.ts'
import { serverInquiry } from './inquiry.ts'

function modelOf({ id, name, capabilities }: JsonRecord): DiscoveredModel[] {
  const modelId = asString(id)
  const limits = asRecord(asRecord(capabilities)?.limits)
  const contextWindow = asNumber(limits?.max_context_window_tokens)
  return modelId === undefined ? [] : [{ modelId, displayName: asString(name), contextWindow }]
}

/** Those of the user's account; without one, all that the CLI has ever heard of. */
export const models: Inquiry<DiscoveredModel[]> = serverInquiry(
  ['models.list', 'models.getBuiltInCatalog'],
  (account, catalog) => {
    const own = asRecords(account?.models)
    return (own.length > 0 ? own : asRecords(catalog?.models)).flatMap(modelOf)
  },
)
