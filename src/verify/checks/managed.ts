import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, type Check, must } from '../check.ts'
import type { ManagedBench } from '../managed-bench.ts'
import { isDone, mustBeGone, mustHaveAsked, mustHaveTitle, refusalOf, untilSaid, withDaemon } from '../managed-steps.ts'

const MADE = 'made-by-tool.txt'

async function mustBeReported(bench: Bench, managed: ManagedBench, id: string): Promise<void> {
  const { title, summaryIsFallback, agentSessionId, usage } = await untilSaid(
    bench,
    managed,
    id,
    'Reply A: this is turn 1.',
  )
  mustHaveTitle({ title, summaryIsFallback })
  if (bench.tells('usage', false)) must(usage.outputTokens === 25, `${usage.outputTokens} output tokens, not 25`)
  if (!bench.tells('session id', false)) return
  must(agentSessionId !== null, 'no session id of the agent')
  if (bench.capabilities.sessionPersistence === 'none') return
  const { transcriptPath } = await managed.until(id, 'linked to its transcript', (one) => one.transcriptPath !== null)
  // In a database the position of the session follows its path.
  must(existsSync(transcriptPath?.replace(/#[^#]*$/, '') ?? ''), `there is no transcript ${transcriptPath}`)
}

/** A second turn, a permission granted and one denied: all of it on one process. */
async function goOn(bench: Bench, managed: ManagedBench, id: string): Promise<void> {
  await managed.client.call('send', { id, text: 'second words' })
  managed.listen()
  const second = await untilSaid(bench, managed, id, 'I have seen 2 user turns')
  must(second.usage.turns === 2, `${second.usage.turns} turns, not 2`)
  if (!bench.capabilities.supportsApprovals) return
  bench.server.use('escalate')
  await decide(bench, managed, id, 'approve')
  must(existsSync(join(bench.cwd, MADE)), 'the approved command has not run')
  rmSync(join(bench.cwd, MADE))
  await decide(bench, managed, id, 'deny')
  must(!existsSync(join(bench.cwd, MADE)), 'the denied command has run')
  must(managed.events(id, 'approval_denied').length === 1, 'the denial is not reported')
}

async function decide(bench: Bench, managed: ManagedBench, id: string, decision: 'approve' | 'deny'): Promise<void> {
  const { usage } = await managed.client.call('getSession', { id })
  await managed.client.call('send', { id, text: `${decision} it` })
  const { activity, pending } = await managed.until(id, 'blocked', (one) => one.activity.state === 'blocked')
  const names = [bench.shellTool, `touch ${MADE}`].some((name) => activity.why.includes(name))
  must(names && pending.length === 1, `blocked by ${pending.length}: ${activity.why}`)
  must(!existsSync(join(bench.cwd, MADE)), 'the command has run before it was allowed')
  const { code, message } = await refusalOf(managed.client.call('send', { id, text: 'yes' }))
  must(code === 'INVALID_STATE_TRANSITION' && message.includes(activity.why), `refused with ${code}: ${message}`)
  await managed.client.call('answer', { id, interactionId: 'oldest', decision })
  await managed.until(id, `idle after ${decision}`, (one) => isDone(bench, one) && one.usage.turns > usage.turns)
}

export const managedSessions: readonly Check[] = [
  {
    name: 'managed',
    title: 'a session of the daemon: turns, permissions, end, and back again',
    scenario: 'multi-turn',
    run: (bench) =>
      withDaemon(bench, async (managed) => {
        const { capabilities } = bench
        const { id } = await managed.daemon.spawn({ prompt: 'first words', options: { approvalMode: 'prompt' } })
        await mustBeReported(bench, managed, id)
        const states = managed.states(id)
        must(states[0] === 'spawning' && states[1] === 'active', `its states are ${states.join(', ')}`)
        await managed.hangUp() // what happens meanwhile is reported afterwards
        if (capabilities.supportsMultiTurn) await goOn(bench, managed, id)
        else managed.listen()
        await managed.client.call('kill', { id })
        const ended = await managed.until(id, 'exited', (one) => !one.isLive)
        must(ended.activity.state === 'exited', `after its end it is ${ended.activity.state}`)
        await mustBeGone(bench, managed, id)
        if (capabilities.canResume) {
          bench.server.use('multi-turn')
          const { plan } = await managed.restore(id, { prompt: 'last words' })
          must(plan.kind === 'native', `it came back as ${plan.kind}: ${plan.why}`)
          await managed.until(id, 'done with the last turn', (one) => one.launch === 2 && isDone(bench, one))
          mustHaveAsked(bench, 'first words', 'last words')
        }
        await managed.mustBeWhole(id)
      }),
  },
]
