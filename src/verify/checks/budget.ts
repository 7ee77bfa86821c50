import { setTimeout as sleep } from 'node:timers/promises'
import type { RunHandle, RunResult } from '../../contract/run-handle.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { PriceBook, priceAt } from '../../core/prices.ts'
import { listPrices } from '../../files/prices.ts'
import type { RecordedRequest, Scenario, ScriptedUsage } from '../../scripted/index.ts'
import { type Bench, type Check, type Finished, must, mustEnd } from '../check.ts'
import { agrees, mustAgree } from '../served-usage.ts'

const REQUESTS = 40
/** The request that costs more than is left. */
const CROSSED_BY = 6
const STOPPED_AFTER = 4

/** No two requests use the same, so that the sums show which of them was left out or counted twice. */
const usageOf = (index: number): ScriptedUsage => ({
  input: 1000 + index,
  cacheRead: 500,
  cacheWrite: 0,
  output: 100 + index,
  reasoning: 0,
})

/** One turn of many requests. A model that is never stopped comes to its end, so that a fault shows as one. */
function loop(name: string, commandOf: (number: number) => string): Scenario {
  return {
    name,
    description: 'asks for one shell command after another, each request with counts of its own',
    turns: [
      [
        ...Array.from({ length: REQUESTS }, (_, index) => ({
          tools: [{ intent: 'shell' as const, command: commandOf(index + 1) }],
          usage: usageOf(index),
        })),
        { text: 'Nobody has stopped me.', usage: usageOf(REQUESTS) },
      ],
    ],
  }
}

/** The commands take no time, so that the next request follows at once. */
const LOOP = loop('budget-loop', (number) => `echo budget-step-${number}`)

/** A terminal is counted twice a second only: its limit is not promised to hold to the request for quicker commands. */
export const PACED_LOOP = loop('paced-loop', (number) => `sleep 1; echo budget-step-${number}`)

/**
 * One command takes long, so that the turn can be stopped while it runs and no request is under way. Claude Code refuses a
 * command that begins with a long sleep, and asks its model again at once.
 */
const LOOP_WITH_WAIT = loop('stopped-loop', (number) =>
  number === STOPPED_AFTER ? `echo step-${number}; sleep 30` : `echo step-${number}`,
)

const PRICE = { input: 3, output: 15 }

/** What the model of the check costs: its list price, or one that the caller has to give. */
export function pricing(bench: Bench): {
  options: Partial<RunOptions>
  costOf(usage: readonly ScriptedUsage[]): number
} {
  const model = bench.model ?? bench.alternativeModel
  const listed = new PriceBook(null, listPrices).ratesOf(model, Date.now())
  const rates = listed ?? PRICE
  return {
    options: { model, ...(listed ? {} : { price: PRICE }) },
    costOf: (all) =>
      all.reduce((sum, { input, cacheRead, output }) => {
        const counts = { inputTokens: input + cacheRead, cacheReadTokens: cacheRead, outputTokens: output }
        return sum + priceAt(rates, counts)
      }, 0),
  }
}

/** In the middle of what the sixth request costs. */
export function limitOf(costOf: (usage: readonly ScriptedUsage[]) => number): number {
  const before = Array.from({ length: CROSSED_BY - 1 }, (_, index) => usageOf(index))
  return costOf(before) + costOf([usageOf(CROSSED_BY - 1)]) / 2
}

/** The requests of the conversation; side calls, such as for a title, go on beside it. */
const servedOf = (requests: readonly RecordedRequest[]): RecordedRequest[] =>
  requests.filter(({ kind, helper, aborted, usage }) => kind === 'model' && !helper && !aborted && usage)

/** At most one request is served after the one that has crossed the limit. */
export function mustHaveStopped(bench: Bench): void {
  const count = servedOf(bench.server.requests).length
  must(count >= CROSSED_BY, `it was stopped after ${count} requests, but the limit is crossed by number ${CROSSED_BY}`)
  must(count <= CROSSED_BY + 1, `${count} requests were served; the limit was crossed by number ${CROSSED_BY}`)
}

/** All that was served is in the result, at its price. */
function mustBeCounted(
  bench: Bench,
  result: RunResult,
  costOf: (usage: readonly ScriptedUsage[]) => number,
  known: readonly RecordedRequest[] = bench.server.requests,
): void {
  mustAgree('the run', result.tokenUsage ?? undefined, known)
  const { cost } = result
  must(cost !== null, 'the cost is not known')
  // An agent that knows a price itself may know another one.
  if (cost.source === 'agent') return
  const expected = costOf(servedOf(known).flatMap(({ usage }) => usage ?? []))
  must(Math.abs(cost.totalUsd - expected) < 1e-7, `it has cost $${cost.totalUsd}, but $${expected} were served`)
}

function mustNotWarn({ events }: Finished): void {
  const warned = events.find((event) => event.type === 'debug' && event.message.includes('budget'))
  must(warned === undefined, `a false warning: ${warned?.type === 'debug' ? warned.message : ''}`)
}

/**
 * The requests that must be counted: all that were answered before the limit was found to be crossed. What was under
 * way then may be cut off before the agent has read how much it was. Nor is it known of a request whose tools are
 * running, where the agent reports it only after them.
 */
function knownOf(bench: Bench, { events }: Finished): RecordedRequest[] {
  const { requests } = bench.server
  const own = servedOf(requests)
  const limit = own
    .slice(0, CROSSED_BY)
    .reduce((sum, { usage }) => sum + (usage ? usage.input + usage.cacheRead : 0), 0)
  let sum = 0
  const crossing = events.find((event) => {
    if (event.type === 'token_usage') sum += event.inputTokens
    return sum >= limit
  })
  const late = own.slice(CROSSED_BY).filter(({ answeredAt = Number.POSITIVE_INFINITY }) => {
    return bench.usageAfterTools || (crossing !== undefined && answeredAt >= crossing.timestamp)
  })
  return requests.filter((one) => !late.includes(one))
}

async function checkBudget(bench: Bench): Promise<void> {
  bench.server.use(LOOP)
  const { options, costOf } = pricing(bench)
  const run = await bench.run({ ...options, approvalMode: 'yolo', maxCostUsd: limitOf(costOf) })
  mustEnd(run, 'budget_exceeded')
  mustHaveStopped(bench)
  const isWhole = run.result.tokenUsage !== null && agrees(run.result.tokenUsage, bench.server.requests)
  mustBeCounted(bench, run.result, costOf, isWhole ? undefined : knownOf(bench, run))
  mustNotWarn(run)
}

/** Resolves while the command of this request runs, so that no request is under way. */
async function duringCommand(bench: Bench, number: number): Promise<void> {
  await bench.server.waitForRequest(
    ({ kind, helper, step }) => kind === 'model' && !helper && step === number - 1,
    120_000,
  )
  await sleep(600)
}

async function checkStopped(bench: Bench, stop: (handle: RunHandle) => Promise<void>): Promise<void> {
  bench.server.requests.length = 0
  bench.server.use(LOOP_WITH_WAIT)
  const { options, costOf } = pricing(bench)
  const handle = bench.start({ ...options, approvalMode: 'yolo' })
  await duringCommand(bench, STOPPED_AFTER)
  const asked = servedOf(bench.server.requests).length
  must(asked === STOPPED_AFTER, `${asked} requests were made before the stop, so that one may have been under way`)
  await stop(handle)
  const result = await handle
  mustEnd({ events: [], result }, 'cancelled')
  // Nobody but the model knows what the request has used whose tools were running.
  const last = bench.usageAfterTools ? servedOf(bench.server.requests).at(-1) : undefined
  const isWhole = result.tokenUsage !== null && agrees(result.tokenUsage, bench.server.requests)
  mustBeCounted(bench, result, costOf, isWhole ? undefined : bench.server.requests.filter((one) => one !== last))
}

const isCounting: Check['applies'] = (c) => c.unreported?.includes('usage') !== true

export const budget: readonly Check[] = [
  {
    name: 'budget',
    title: 'cost limit, kept by us inside a turn of many requests',
    scenario: 'text',
    waits: true,
    applies: (c) => isCounting(c) && c.supportsBudget !== false,
    run: checkBudget,
  },
  {
    name: 'usage-stopped',
    title: 'usage and cost of a turn that was aborted or interrupted',
    scenario: 'text',
    waits: true,
    applies: (c) => isCounting(c) && c.supportsNativeTools,
    async run(bench) {
      await checkStopped(bench, (handle) => handle.abort())
      if (bench.capabilities.supportsInterrupt) await checkStopped(bench, (handle) => handle.interrupt())
    },
  },
]
