import type { CostFigures } from '../contract/session-manager.ts'
import type { RecordedRequest } from '../scripted/index.ts'
import { must } from './check.ts'

export type Counts = Pick<CostFigures, 'inputTokens' | 'outputTokens' | 'cacheReadTokens'>

const show = ({ inputTokens, outputTokens, cacheReadTokens }: Counts): string =>
  JSON.stringify([inputTokens, outputTokens, cacheReadTokens])

/** What the server has said that these requests used. */
export function served(requests: readonly RecordedRequest[], { countsCache } = COUNTS_ALL): Counts {
  const sum: Counts = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0 }
  for (const { usage, aborted } of requests) {
    if (!usage || aborted) continue
    sum.inputTokens += usage.input + usage.cacheRead + usage.cacheWrite
    sum.outputTokens += usage.output + usage.reasoning
    if (countsCache) sum.cacheReadTokens += usage.cacheRead
  }
  return sum
}

interface CountsOptions {
  /** The agent reports how much of the input came from the cache. */
  countsCache: boolean
}

const COUNTS_ALL: CountsOptions = { countsCache: true }

function expectations(requests: readonly RecordedRequest[], options: CountsOptions): [own: string, all: string] {
  const own = requests.filter(({ helper }) => !helper)
  return [show(served(own, options)), show(served(requests, options))]
}

export function agrees(found: Counts, requests: readonly RecordedRequest[], options = COUNTS_ALL): boolean {
  return expectations(requests, options).includes(show(found))
}

/** The sums are those of the conversation, or of all that the agent asked for: not every agent keeps what helpers used. */
export function mustAgree(
  what: string,
  found: Counts | undefined,
  requests: readonly RecordedRequest[],
  options = COUNTS_ALL,
): asserts found is Counts {
  must(found !== undefined, `nothing was counted for ${what}`)
  const [own, all] = expectations(requests, options)
  const expected = own === all ? own : `${own} (with helpers ${all})`
  must(agrees(found, requests, options), `${what}: ${show(found)} counted, but ${expected} served`)
}
