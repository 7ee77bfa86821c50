import type { ManagedSession } from '../../client/index.ts'
import { type Check, must } from '../check.ts'
import { withDaemon } from '../managed-steps.ts'
import { agrees, mustAgree } from '../served-usage.ts'
import { limitOf, mustHaveStopped, PACED_LOOP, pricing } from './budget.ts'

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
        const budget = { ...options, approvalMode: 'yolo' as const, maxCostUsd: limitOf(costOf) }
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
