import type { ManagedSession } from '../../client/index.ts'
import { CapabilityError } from '../../contract/errors.ts'
import { type Bench, type Check, must } from '../check.ts'
import { withDaemon } from '../managed-steps.ts'
import { agrees, mustAgree } from '../served-usage.ts'
import { limitOf, mustHaveStopped, PACED_LOOP, pricing } from './budget.ts'

/**
 * A mode in which the commands of the loop run without a question, so that nothing but the budget stops it. Droid's screen
 * has none that allows everything (0.225); the level that it has for edits allows commands of a low risk, too.
 */
function freeMode({ adapter, agent, cwd }: Bench): 'yolo' | 'accept-edits' {
  try {
    adapter.planLaunch?.({ agent, prompt: '', cwd, approvalMode: 'yolo' })
    return 'yolo'
  } catch (error) {
    if (error instanceof CapabilityError) return 'accept-edits'
    throw error
  }
}

export const terminalBudget: readonly Check[] = [
  {
    name: 'terminal-budget',
    title: 'cost limit of a terminal, kept inside a turn of many requests',
    scenario: 'text',
    waits: true,
    applies: (c) =>
      c.supportsTerminal === true &&
      c.supportsTerminalBudget !== false &&
      c.sessionPersistence !== 'none' &&
      c.approvalModes.includes('yolo'),
    run: (bench) =>
      withDaemon(bench, async (managed) => {
        bench.writeScreenFiles({ asks: false })
        bench.server.use(PACED_LOOP)
        const { options, costOf } = pricing(bench)
        const budget = { ...options, approvalMode: freeMode(bench), maxCostUsd: limitOf(costOf) }
        const { id } = await managed.daemon.spawn({ prompt: 'first words', mode: 'terminal', options: budget })
        const { outcome } = await managed.until(id, 'ended for its budget', ({ isLive }) => !isLive)
        must(outcome?.kind === 'budget_exceeded', `the outcome is ${outcome?.kind}: ${outcome?.evidence}`)
        mustHaveStopped(bench)
        const isCounted = ({ usage }: ManagedSession) => agrees(usage, bench.server.requests)
        await managed.until(id, 'counted', isCounted).catch((error) => {
          mustAgree('the terminal', managed.latest(id)?.usage, bench.server.requests)
          throw error
        })
      }),
  },
]
