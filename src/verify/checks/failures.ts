import { once } from 'node:events'
import { createServer } from 'node:net'
import type { OutcomeKind } from '../../contract/outcome.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { type Bench, type Check, type Finished, must, mustEnd, mustKeepOrder, mustSay, mustSee } from '../check.ts'

/** What the model server does, and the verdict a caller must get for it. */
const FAILURES: readonly { scenario: string; title: string; outcomes: OutcomeKind[] }[] = [
  { scenario: '401', title: 'a wrong key', outcomes: ['auth_required'] },
  { scenario: '403', title: 'a key without the right', outcomes: ['auth_required'] },
  { scenario: '404-model', title: 'an unknown model', outcomes: ['failed'] },
  { scenario: '429', title: 'a rate limit that stays', outcomes: ['rate_limited'] },
  { scenario: '429-bare', title: 'a rate limit that stays, and does not say how long', outcomes: ['rate_limited'] },
  { scenario: '429-far', title: 'a rate limit that lasts an hour', outcomes: ['rate_limited'] },
  // With an API key the provider's words for a spent plan are those of a rate limit on some wires.
  { scenario: 'quota', title: 'a plan used up', outcomes: ['quota_exhausted', 'rate_limited'] },
  { scenario: 'credit', title: 'no money left', outcomes: ['quota_exhausted'] },
  { scenario: '500', title: 'a server error', outcomes: ['failed'] },
  { scenario: 'overloaded', title: 'an overloaded server', outcomes: ['failed'] },
  { scenario: 'context', title: 'a context overflow', outcomes: ['context_exhausted'] },
  { scenario: 'refusal', title: 'a refusal', outcomes: ['failed'] },
  { scenario: 'cut', title: 'a connection that breaks', outcomes: ['failed'] },
]

/**
 * The agent runs with all its own retries, and the engine's rules end it, in so many milliseconds from the first request
 * on: its grace, and time for the agent to report its retries and to be ended.
 */
const LIMIT_ENDS_MS = 60_000
const OUTAGE_ENDS_MS = 180_000
const LONGEST_START_MS = 180_000
const LIMITS: readonly string[] = ['429', '429-bare', '429-far', 'quota', 'credit']
const OUTAGES: readonly string[] = ['500', 'overloaded', 'cut']

function longestOf(scenario: string): number | undefined {
  if (LIMITS.includes(scenario)) return LIMIT_ENDS_MS
  return OUTAGES.includes(scenario) ? OUTAGE_ENDS_MS : undefined
}

/** The start of the CLI does not count: it takes long on a busy machine. */
async function boundedRun(bench: Bench, options: Partial<RunOptions>, longestMs: number): Promise<Finished> {
  let askedAt: number | null = null
  const watch = setInterval(() => {
    if (bench.server.requests.length > 0) askedAt ??= Date.now()
  }, 100)
  // Longer than what is allowed, so that a hang is not mistaken for the end that a rule of ours has made.
  const run = await bench.run({ timeout: longestMs + LONGEST_START_MS, ...options }).finally(() => clearInterval(watch))
  const tookMs = Date.now() - (askedAt ?? Date.now())
  must(tookMs < longestMs, `the run took ${Math.round(tookMs / 1000)} s to end`)
  return run
}

/** What the server or the network did, in words, and so that a policy of retries applies. */
function mustBlameServer({ result }: Finished): void {
  const { code, message } = result.error ?? {}
  must(code === 'MODEL_ERROR', `the code is ${code}: ${message}`)
  must(/[a-z]{3}/i.test(message ?? '') && !/^unknown\b/i.test(message ?? ''), `the error only says "${message}"`)
}

async function mustLeaveNothing(bench: Bench, { result }: Finished): Promise<void> {
  const left = await bench.processesLeft(result.runId)
  must(left.length === 0, `processes left: ${left.join(', ')}`)
}

function failureCheck({ scenario, title, outcomes }: (typeof FAILURES)[number], nonInteractive: boolean): Check {
  return {
    name: nonInteractive ? `one-shot-${scenario}` : scenario,
    title: nonInteractive ? `${title}, one-shot` : title,
    scenario,
    waits: longestOf(scenario) !== undefined,
    applies: (c) => scenario !== 'refusal' || !c.unreported?.includes('refusals'),
    async run(bench) {
      const longestMs = longestOf(scenario)
      const run = await (longestMs ? boundedRun(bench, { nonInteractive }, longestMs) : bench.run({ nonInteractive }))
      mustEnd(run, ...outcomes)
      mustKeepOrder(run)
      must(run.result.error !== null, 'no error in the result')
      must(run.result.exitReason !== 'completed', 'the exit reason says completed')
      if (OUTAGES.includes(scenario)) mustBlameServer(run)
      await mustLeaveNothing(bench, run)
    },
  }
}

/** A port of this machine that nobody listens on. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 1
}

/** What a reader has who takes back what is withdrawn. */
function heard({ events }: Finished): string {
  let said = ''
  for (const event of events) {
    if (event.type === 'message_stop') said += event.text
    else if (event.type === 'attempt_withdrawn') said = said.slice(0, said.length - event.text.length)
  }
  return said
}

const RECOVERED = 'Hello after one broken response.'

/**
 * Whether the agent asks again is its own matter. If it does, nothing of the broken response is in the answer. One that
 * ended as if it were whole, the agent may keep as a message of its own (OpenCode 1.18 does).
 */
function brokenResponse(scenario: string, title: string, { mayBeKept = false } = {}): Check {
  return {
    name: scenario,
    title,
    scenario,
    async run(bench) {
      const run = await bench.run({})
      mustKeepOrder(run)
      const hasAskedAgain = bench.sent().length > 1
      mustEnd(run, 'completed', ...(hasAskedAgain ? [] : (['failed'] as const)))
      if (!hasAskedAgain) return
      must(run.result.text === RECOVERED, `the answer is ${JSON.stringify(run.result.text)}`)
      must(mayBeKept || heard(run) === RECOVERED, `what was heard and not withdrawn is ${JSON.stringify(heard(run))}`)
    },
  }
}

export const failures: readonly Check[] = [
  brokenResponse('cut-recover', 'a connection that breaks once'),
  brokenResponse('end-recover', 'a response that ends too early once', { mayBeKept: true }),
  ...FAILURES.map((failure) => failureCheck(failure, false)),
  ...FAILURES.filter(({ scenario }) => ['401', '429', 'context', 'credit'].includes(scenario)).map((failure) =>
    failureCheck(failure, true),
  ),
  {
    name: '429-recover',
    title: 'a rate limit that passes',
    scenario: '429-recover',
    async run(bench) {
      const run = await bench.run({})
      mustEnd(run, 'completed')
      mustSay(run, 'Hello after one rate limit.')
      if (bench.tells('retries', false)) mustSee(run, 'retry')
    },
  },
  {
    name: 'unreachable',
    title: 'a server that cannot be reached',
    scenario: 'text',
    waits: true,
    applies: (c) => c.endpointProtocols?.length !== 0,
    async run(bench) {
      const url = new URL(bench.endpoint.baseUrl)
      url.port = String(await closedPort())
      const baseUrl = url.href.replace(/\/$/, '')
      const run = await boundedRun(bench, { endpoint: { ...bench.endpoint, baseUrl } }, OUTAGE_ENDS_MS)
      mustEnd(run, 'failed')
      mustKeepOrder(run)
      mustBlameServer(run)
      await mustLeaveNothing(bench, run)
    },
  },
  {
    name: 'no-key',
    title: 'no credentials',
    scenario: 'text',
    async run(bench) {
      const run = await bench.run(bench.keyless ?? { endpoint: { ...bench.endpoint, apiKey: '' } })
      mustEnd(run, 'auth_required')
      mustSee(run, 'auth_error')
    },
  },
]
