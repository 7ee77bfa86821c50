import type { CostFigures } from '../contract/session-manager.ts'
import type { RecordedRequest } from '../scripted/index.ts'
import { must } from './check.ts'

export type Counts = Pick<CostFigures, 'inputTokens' | 'outputTokens' | 'cacheReadTokens'>

const countsOf = ({ inputTokens, outputTokens, cacheReadTokens }: Counts): Counts => ({
  inputTokens,
  outputTokens,
  cacheReadTokens,
})

const show = (counts: Counts): string => JSON.stringify(Object.values(countsOf(counts)))

/** What the server has said that these requests used. */
export function served(requests: readonly RecordedRequest[]): Counts {
  const sum: Counts = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0 }
  for (const { usage, aborted } of requests) {
    if (!usage || aborted) continue
    sum.inputTokens += usage.input + usage.cacheRead + usage.cacheWrite
    sum.outputTokens += usage.output + usage.reasoning
    sum.cacheReadTokens += usage.cacheRead
  }
  return sum
}

function expectations(requests: readonly RecordedRequest[]): [own: string, all: string] {
  return [show(served(requests.filter(({ helper }) => !helper))), show(served(requests))]
}

export function agrees(found: Counts, requests: readonly RecordedRequest[]): boolean {
  return expectations(requests).includes(show(found))
}

/** The sums are those of the conversation, or of all that the agent asked for: not every agent keeps what helpers used. */
export function mustAgree(
  what: string,
  found: Counts | undefined,
  requests: readonly RecordedRequest[],
): asserts found is Counts {
  must(found !== undefined, `nothing was counted for ${what}`)
  const [own, all] = expectations(requests)
  const expected = own === all ? own : `${own} (with helpers ${all})`
  must(agrees(found, requests), `${what}: ${show(found)} counted, but ${expected} served`)
}
