import type { Inquiry } from '../../contract/inquiry.ts'
import type { DiscoveredModel } from '../../contract/models.ts'

const UNITS: Readonly<Record<string, number>> = { K: 1000, M: 1_000_000 }
const ROW = /^(\S+) +(\S+) +([\d.]+)([KM]?) +([\d.]+)([KM]?) +(yes|no) +(yes|no) *$/

// Before 1.0 it goes to stderr.
/** A table, of the providers that there is a key for. Its first line names the columns, and is no such row. */
export const models: Inquiry<DiscoveredModel[]> = {
  args: ['--list-models'],
  read: (stdout, stderr) => `${stdout}\n${stderr}`.split('\n').flatMap(modelOf),
}

function modelOf(line: string): DiscoveredModel[] {
  const row = ROW.exec(line)
  if (!row) return []
  const [, provider, providerModelId, context = '', contextUnit = '', output = '', outputUnit = '', thinks, sees] = row
  return [
    {
      modelId: `${provider}/${providerModelId}`,
      provider,
      providerModelId,
      contextWindow: Math.round(Number(context) * (UNITS[contextUnit] ?? 1)),
      maxOutputTokens: Math.round(Number(output) * (UNITS[outputUnit] ?? 1)),
      supportsThinking: thinks === 'yes',
      supportsImageInput: sees === 'yes',
    },
  ]
}
