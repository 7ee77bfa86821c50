import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentName } from '../contract/names.ts'
import { asArray, asString, asTime, parseRecord } from '../core/json.ts'
import { unifiedId } from './unified-id.ts'

/** One line for each run of ours that has ended, whatever its project. */
const RUN_INDEX = 'run-index.jsonl'

interface OwnRun {
  /** Unified id of its session, under the name of the agent that the store belongs to. */
  session: string
  at: number
  tags: string[]
}

/** Lines that are torn or of a later version are skipped. */
export async function readOwnRuns(dataDir: string, ownerOf: (agent: AgentName) => AgentName): Promise<OwnRuns> {
  const text = await readFile(join(dataDir, RUN_INDEX), 'utf8').catch(() => '') // no run of ours has ended yet
  return new OwnRuns(
    text.split('\n').flatMap((line): OwnRun[] => {
      const record = parseRecord(line)
      const [agent, sessionId, at] = [asString(record?.agent), asString(record?.sessionId), asTime(record?.timestamp)]
      if (record?.v !== 1 || agent === undefined || sessionId === undefined || at === undefined) return []
      return [
        {
          session: unifiedId(ownerOf(agent), sessionId),
          at,
          tags: asArray(record.tags).flatMap((tag) => asString(tag) ?? []),
        },
      ]
    }),
  )
}

/** The runs that we have started ourselves, and what their sessions were tagged with. */
export class OwnRuns {
  readonly #runs: readonly OwnRun[]
  readonly #tags = new Map<string, Set<string>>()

  constructor(runs: readonly OwnRun[]) {
    this.#runs = runs
    for (const { session, tags } of runs) {
      if (tags.length > 0) this.#tags.set(session, new Set([...(this.#tags.get(session) ?? []), ...tags]))
    }
  }

  tagsOf(session: string): string[] {
    return [...(this.#tags.get(session) ?? [])]
  }

  /** The sessions with any of these tags. Undefined when none is asked for. */
  tagged(tags: readonly string[] = []): string[] | undefined {
    if (tags.length === 0) return undefined
    return [...this.#tags].flatMap(([session, its]) => (tags.some((tag) => its.has(tag)) ? [session] : []))
  }

  /** How many of them in these sessions and this time. */
  count(sessions: ReadonlySet<string>, since: number, until: number): number {
    return this.#runs.filter(({ session, at }) => sessions.has(session) && at >= since && at <= until).length
  }
}
