import type { AgentAdapter } from '../contract/adapter.ts'
import type { UsageRow, UsageSource } from '../contract/session-store.ts'
import type { SpawnArgs } from '../contract/spawn.ts'
import { countsSince, emptyUsage, type UsageCounts } from '../core/usage.ts'

import type { RunRequest } from './run.ts'
import type { RunInput } from './run-input.ts'
import type { RunTotals } from './run-totals.ts'

const LOOK_MS = 300
/** While there is a budget to keep. */
const BUDGET_LOOK_MS = 50

/** `ownStore`: where a store of the run's own is, once the agent has been started. */
export type OpenUsage = (
  env: Readonly<Record<string, string | undefined>>,
  since: number,
  ownStore?: () => string | null,
) => Promise<UsageSource | null>

interface WatchedEvents {
  totals: Pick<RunTotals, 'sessionId'>
  take(input: Extract<RunInput, { kind: 'usage' }>): void
}

export interface UsageWatchPort {
  sessionId(): string | null
  /** What one request has used, or what has come to it. */
  onUsage(row: UsageRow, more: UsageCounts): void
}

/**
 * Looks into the agent's own store while a turn runs, for an agent that reports its usage only when the turn is over. A
 * look costs little when nothing has changed. It never fails a run: what cannot be read now may be read the next time.
 */
export class UsageWatch {
  readonly #source: UsageSource
  readonly #port: UsageWatchPort
  readonly #counted = new Map<string, UsageCounts>()
  readonly #requests = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #unwatch: (() => void) | undefined
  #looking: Promise<void> | null = null
  #isDirty = false
  /** What was asked for before this time is reported by the agent itself. */
  #settledAt = 0

  constructor(source: UsageSource, port: UsageWatchPort) {
    this.#source = source
    this.#port = port
  }

  /** What the session had used before this run does not count. */
  async begin(earlierSession: string | undefined, everyMs = LOOK_MS): Promise<void> {
    if (earlierSession !== undefined) {
      for (const row of await this.#rows(earlierSession)) this.#counted.set(row.key, countsOf(row))
    }
    this.#timer = setInterval(() => this.poke(), everyMs)
    this.#unwatch = this.#source.onChange?.(() => this.poke())
  }

  /** Something has happened: there may be more. */
  poke(): void {
    this.#isDirty = true
    this.#looking ??= this.#lookWhileDirty().finally(() => {
      this.#looking = null
    })
  }

  /** The stream has reported what all requests up to now have used. */
  settle(): void {
    this.#settledAt = Date.now()
  }

  /** How many requests were found since the run began. */
  get requests(): number {
    return this.#requests.size
  }

  /** Resolves when all that is written down by now is counted. */
  async catchUp(): Promise<void> {
    await this.#looking
    await this.#look()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#unwatch?.()
  }

  async #lookWhileDirty(): Promise<void> {
    while (this.#isDirty) {
      this.#isDirty = false
      await this.#look()
    }
  }

  async #look(): Promise<void> {
    for (const row of await this.#rows(this.#port.sessionId())) {
      const now = countsOf(row)
      const more = countsSince(now, this.#counted.get(row.key) ?? emptyUsage())
      this.#counted.set(row.key, now)
      if (more.inputTokens + more.outputTokens > 0) this.#requests.add(row.key)
      if (more.inputTokens + more.outputTokens > 0 && row.at >= this.#settledAt) this.#port.onUsage(row, more)
    }
  }

  #rows(sessionId: string | null): Promise<readonly UsageRow[]> {
    return this.#source.rows(sessionId).catch(() => [])
  }
}

/** Null for an agent that reports its usage as it goes, and for one whose store is not known. */
export async function openUsageWatch(
  { options, processEnv, openUsage }: RunRequest,
  adapter: AgentAdapter,
  args: SpawnArgs,
  events: WatchedEvents,
  run: { readonly attempt: { fill(text: string): string } | null },
): Promise<UsageWatch | null> {
  const form = options.nonInteractive ? 'one-shot' : 'live'
  const { usageStore } = args
  const hasStore = usageStore !== undefined || !options.noSession
  if (!openUsage || !hasStore || !adapter.capabilities.usageAfterTurn?.includes(form)) return null
  const env = { ...processEnv, ...args.env, ...options.env }
  const ownStore = usageStore === undefined ? undefined : () => run.attempt?.fill(usageStore) ?? null
  const source = await openUsage(env, Date.now(), ownStore).catch(() => null)
  if (!source) return null
  const watch = new UsageWatch(source, {
    sessionId: () => events.totals.sessionId,
    onUsage: ({ model }, more) =>
      events.take({ kind: 'usage', usage: { type: 'token_usage', ...more, model: askedName(model, options.model) } }),
  })
  await watch.begin(
    options.sessionId ?? options.forkSessionId,
    options.maxCostUsd === undefined ? LOOK_MS : BUDGET_LOOK_MS,
  )
  return watch
}

/** Under the name that it was asked for: an endpoint of the caller is a provider of the agent's own naming. */
function askedName(model: string | undefined, asked: string | undefined): string | undefined {
  const isAsked =
    asked !== undefined && (model === undefined || [`/${asked}`, `:${asked}`].some((end) => model.endsWith(end)))
  return isAsked ? asked : model
}

function countsOf(row: UsageRow): UsageCounts {
  const { inputTokens, outputTokens, thinkingTokens, cacheReadTokens, cacheCreationTokens } = row
  return {
    inputTokens,
    outputTokens,
    thinkingTokens,
    cacheReadTokens,
    cacheCreationTokens,
    cachedTokens: cacheReadTokens,
  }
}
