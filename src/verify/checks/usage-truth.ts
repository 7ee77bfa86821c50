import type { Scenario } from '../../scripted/index.ts'
import { subagentMark } from '../../scripted/scenarios.ts'
import { type Bench, type Check, must, mustEnd } from '../check.ts'
import { type Counts, mustAgree } from '../served-usage.ts'
import { firstRun, firstTurn } from './sessions.ts'

/** No two requests use the same, so that the sums show which of them was left out or counted twice. */
const TURNS: Scenario = {
  name: 'usage-truth',
  description: 'a command and two more turns, each request with counts of its own',
  turns: [
    [
      {
        thinking: 'A command is needed.',
        text: 'I will run a command.',
        tools: [{ intent: 'shell', command: 'sleep 1; echo counted' }],
        usage: { input: 1, cacheRead: 1000, cacheWrite: 0, output: 1, reasoning: 3 },
      },
      { text: 'The command has run.', usage: { input: 20, cacheRead: 2000, cacheWrite: 0, output: 20 } },
    ],
    [{ text: 'The second answer.', usage: { input: 400, cacheRead: 4000, cacheWrite: 0, output: 400 } }],
    [{ text: 'The third answer.', usage: { input: 8000, cacheRead: 8000, cacheWrite: 0, output: 8000 } }],
  ],
}

/** The command gives a sub-agent in the background the time to end. */
const SUBAGENT: Scenario = {
  name: 'usage-subagent',
  description: 'starts a subagent, then a command and text, each request with counts of its own',
  turns: [
    [
      {
        tools: [{ intent: 'subagent', prompt: `${subagentMark} Say that you are done.` }],
        usage: { input: 3000, cacheRead: 0, cacheWrite: 0, output: 300 },
      },
      {
        tools: [{ intent: 'shell', command: 'sleep 4; echo waited' }],
        usage: { input: 700, cacheRead: 0, cacheWrite: 0, output: 70 },
      },
      { text: 'The subagent has answered.', usage: { input: 5000, cacheRead: 0, cacheWrite: 0, output: 500 } },
    ],
  ],
}

async function totals(bench: Bench) {
  const total = await bench.sessions.totalCost({ agent: bench.agent, groupBy: 'session' })
  const of = (sessionId: string): Counts | undefined =>
    Object.entries(total.breakdowns ?? {}).find(([id]) => id.endsWith(`:${sessionId}`))?.[1]
  return { total, of }
}

/** A turn with a command, the same session resumed, and a fork of it: each counted once, where it was made. */
async function checkTotals(bench: Bench): Promise<void> {
  bench.server.use(TURNS)
  const { canResume, canFork } = bench.capabilities
  const { requests } = bench.server
  const options = { countsCache: bench.tells('cached tokens', false) }
  const { sessionId, result } = await firstRun(bench, { approvalMode: 'yolo' })
  if (bench.tells('usage', false)) mustAgree('the run', result.tokenUsage ?? undefined, requests, options)
  if (canResume) mustEnd(await bench.run({ prompt: 'second words', sessionId }), 'completed')
  const count = requests.length
  mustAgree('the session', (await totals(bench)).of(sessionId), requests, options)
  if (!canFork) return
  const fork = await bench.run({ prompt: 'forked words', forkSessionId: sessionId })
  mustEnd(fork, 'completed')
  const { total, of } = await totals(bench)
  mustAgree('the session that was forked', of(sessionId), requests.slice(0, count), options)
  if (bench.tells('session id', false))
    mustAgree('the fork', of(fork.result.sessionId ?? ''), requests.slice(count), options)
  mustAgree('both', total, requests, options)
}

/** What a sub-agent used counts for the session that started it. */
async function checkSubagent(bench: Bench): Promise<void> {
  bench.server.use(SUBAGENT)
  const sessionId = await firstTurn(bench, { approvalMode: 'yolo', model: bench.alternativeModel })
  const { total, of } = await totals(bench)
  mustAgree('the session with its sub-agent', of(sessionId), bench.server.requests)
  must(total.sessionCount === 1, `${total.sessionCount} sessions were counted, not the one with its sub-agent`)
}

export const usageTruth: readonly Check[] = [
  {
    name: 'usage-truth',
    title: 'the sums over its sessions are what the model reported',
    scenario: 'text',
    applies: (c) => c.sessionPersistence !== 'none',
    run: checkTotals,
  },
  {
    name: 'usage-subagent',
    title: 'what a sub-agent used counts for its session',
    scenario: 'text',
    applies: (c) => c.sessionPersistence !== 'none' && c.supportsSubagentDispatch,
    run: checkSubagent,
  },
]
