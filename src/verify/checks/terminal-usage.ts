import type { ManagedSession } from '../../client/index.ts'
import type { Scenario } from '../../scripted/index.ts'
import { type Bench, type Check, CheckFailed, must } from '../check.ts'
import type { ManagedBench } from '../managed-bench.ts'
import { withDaemon } from '../managed-steps.ts'
import { agrees, mustAgree } from '../served-usage.ts'

/** No two requests use the same, so that the sums show which of them was left out or counted twice. */
const TURNS: Scenario = {
  name: 'terminal-usage',
  description: 'three turns, each request with counts of its own',
  turns: [
    [{ text: 'The first answer.', usage: { input: 1, cacheRead: 1000, cacheWrite: 0, output: 1 } }],
    [{ text: 'The second answer.', usage: { input: 20, cacheRead: 2000, cacheWrite: 0, output: 20 } }],
    [{ text: 'The third answer.', usage: { input: 400, cacheRead: 4000, cacheWrite: 0, output: 400 } }],
  ],
}

const LAST_TURN = TURNS.turns.length

/** Everything that was served is counted, at the price that `amux cost` shows. */
async function mustBeCounted(bench: Bench, managed: ManagedBench, id: string, turns: number): Promise<void> {
  const { requests } = bench.server
  const isLate = bench.resumesOnCopy && turns === LAST_TURN
  const isCounted = ({ usage, activity }: ManagedSession) =>
    (isLate || usage.turns === turns) &&
    activity.state === 'idle' &&
    bench.sent().length >= turns &&
    agrees(usage, requests)
  const { usage, agentSessionId } = await managed.until(id, `counted after turn ${turns}`, isCounted).catch((error) => {
    mustAgree(`turn ${turns}`, managed.latest(id)?.usage, requests)
    throw error
  })
  if (agentSessionId === null) throw new CheckFailed('no session id of the agent')
  const total = await bench.sessions.totalCost({ agent: bench.agent, sessionId: agentSessionId })
  const isSame = Math.abs((usage.costUsd ?? -1) - (total.totalUsd ?? -1)) < 1e-9
  must(isSame, `the session has cost ${usage.costUsd}, but its transcript ${total.totalUsd}`)
  must(usage.unpricedTokens === total.unpricedTokens, `${usage.unpricedTokens} tokens have no price`)
}

export const terminalUsage: readonly Check[] = [
  {
    name: 'terminal-usage',
    title: 'turns, tokens and costs of its terminal are what the model reported, also after a restore',
    scenario: 'text',
    waits: true,
    applies: (c) => c.supportsTerminal === true && c.sessionPersistence !== 'none',
    run: (bench) =>
      withDaemon(bench, async (managed) => {
        bench.writeScreenFiles()
        bench.server.use(TURNS)
        const { id } = await managed.daemon.spawn({ prompt: 'first words', mode: 'terminal' })
        await mustBeCounted(bench, managed, id, 1)
        await managed.client.call('send', { id, text: 'second words' })
        await mustBeCounted(bench, managed, id, 2)
        if (!bench.capabilities.canResume) return
        await managed.client.call('kill', { id })
        await managed.restore(id, { prompt: 'third words' })
        await mustBeCounted(bench, managed, id, LAST_TURN)
      }),
  },
]
