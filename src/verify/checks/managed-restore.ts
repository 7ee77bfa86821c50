import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ManagedSession } from '../../client/index.ts'
import { signalProcess } from '../../process/signal.ts'
import { type Bench, type Check, must } from '../check.ts'
import type { ManagedBench } from '../managed-bench.ts'
import { isDone, mustBeGone, mustHaveAsked, refusalOf, THOROUGH, untilSaid, withDaemon } from '../managed-steps.ts'

/** The daemon dies: the agent goes on, and the next daemon takes it up where it is. */
async function killDaemon(bench: Bench, managed: ManagedBench, id: string): Promise<void> {
  await managed.daemon.end('SIGKILL')
  await managed.daemon.serve()
  const { isLive, launch, activity } = await managed.client.call('getSession', { id })
  must(isLive && launch === 1, `after the end of the daemon it is ${activity.state}: ${activity.why}`)
  await managed.client.call('send', { id, text: 'second words' })
  await untilSaid(bench, managed, id, 'I have seen 2 user turns')
}

/** What is true of a session whose processes were killed. */
async function mustHaveEnded(bench: Bench, managed: ManagedBench, id: string, why: RegExp): Promise<void> {
  const { activity, outcome } = await managed.until(id, 'exited', ({ isLive }) => !isLive)
  must(activity.state === 'exited', `its state is ${activity.state}`)
  must(outcome?.kind === 'crashed', `its outcome is ${JSON.stringify(outcome)}`)
  must(why.test(activity.why), `the reason is ${activity.why}`)
  await mustBeGone(bench, managed, id)
}

/** Natively, and the model gets all that was said before. */
async function comeBack(bench: Bench, managed: ManagedBench, id: string, turn: number): Promise<ManagedSession> {
  const { plan } = await managed.restore(id, { prompt: `words of turn ${turn}` })
  must(plan.kind === 'native', `it came back as ${plan.kind}: ${plan.why}`)
  await untilSaid(bench, managed, id, `I have seen ${turn} user turns`)
  mustHaveAsked(bench, 'first words', 'second words', `words of turn ${turn}`)
  return managed.client.call('getSession', { id })
}

/** What the daemon that started it was given in secret is on no disk, and asked for again. */
async function mustAskForSecrets(managed: ManagedBench, id: string): Promise<void> {
  const { code, message } = await refusalOf(managed.client.call('restore', { id, prompt: 'never' }))
  must(code === 'VALIDATION_ERROR' && message.includes('endpoint'), `without its endpoint: ${code}, ${message}`)
}

/** One session through every death that there is. */
async function checkDeaths(bench: Bench): Promise<void> {
  await withDaemon(bench, async (managed) => {
    const { id } = await managed.daemon.spawn({ prompt: 'first words' })
    await untilSaid(bench, managed, id, 'Reply A: this is turn 1.')
    await killDaemon(bench, managed, id)

    signalProcess(managed.processes({ id, launch: 1 }).agent?.pid, 'SIGKILL')
    await mustHaveEnded(bench, managed, id, /./)
    await mustAskForSecrets(managed, id)
    await comeBack(bench, managed, id, 3)

    signalProcess(managed.processes({ id, launch: 2 }).runner.pid, 'SIGKILL')
    await mustHaveEnded(bench, managed, id, /runner .* was killed/)
    await comeBack(bench, managed, id, 4)

    await managed.reboot({ id, launch: 3 })
    const first = await managed.client.call('getSession', { id })
    must(first.activity.state === 'exited', `after a reboot it is shown as ${first.activity.state}`)
    await mustHaveEnded(bench, managed, id, /machine was restarted/)
    const { usage } = await comeBack(bench, managed, id, 5)
    must(usage.turns === 5, `${usage.turns} turns are counted, not 5`)
    await managed.mustBeWhole(id)
    await managed.client.call('kill', { id })
    await mustBeGone(bench, managed, id)
  })
}

/**
 * Repeated from our log when the agent has lost it, from the start when there is nothing to repeat, or not at all.
 */
async function checkOtherWays(bench: Bench): Promise<void> {
  await withDaemon(bench, async (managed) => {
    const cwd = join(bench.home, 'another')
    mkdirSync(cwd)
    const { id } = await managed.daemon.spawn({ prompt: 'first words', cwd })
    await untilSaid(bench, managed, id, 'Reply A: this is turn 1.')
    const session = await managed.until(id, 'linked to its transcript', ({ transcriptPath }) => transcriptPath !== null)
    await managed.client.call('kill', { id })
    rmSync(cwd, { recursive: true })
    const { code, message } = await refusalOf(managed.restore(id))
    must(code === 'INVALID_STATE_TRANSITION' && message.includes(`${cwd} is gone`), `without its directory: ${message}`)
    mkdirSync(cwd)
    // What is in a database stays: there it is asked for.
    const path = session.transcriptPath ?? ''
    const isDatabase = !existsSync(path)
    if (!isDatabase) rmSync(path)
    const { plan } = await managed.restore(id, { prompt: 'other words', as: isDatabase ? 'replay' : undefined })
    must(plan.kind === 'replay', `it came back as ${plan.kind}: ${plan.why}`)
    await managed.until(id, 'done again', (one) => one.launch === 2 && isDone(bench, one) && one.usage.turns === 2)
    mustHaveAsked(bench, 'first words', 'Reply A: this is turn 1.', 'other words')
    await checkFresh(bench, managed)
  })
}

/** Killed before it could say anything. */
async function checkFresh(bench: Bench, managed: ManagedBench): Promise<void> {
  const { id } = await managed.daemon.spawn({ prompt: 'unheard words' })
  await managed.client.call('kill', { id })
  const planned = await managed.client.call('planRestore', { id })
  // Some have written the prompt down by then, so that it would go on there.
  const { plan } = await managed.restore(id, { as: planned.kind === 'fresh' ? undefined : 'fresh' })
  must(plan.kind === 'fresh', `it came back as ${plan.kind}: ${plan.why}`)
  await managed.until(id, 'done from the start', (one) => one.launch === 2 && isDone(bench, one))
  mustHaveAsked(bench, 'unheard words')
}

export const managedRestore: readonly Check[] = [
  {
    name: 'managed-restore',
    title: 'a session of the daemon survives the end of daemon, agent, runner and machine',
    scenario: 'multi-turn',
    applies: (c) => THOROUGH.has(c.agent),
    run: checkDeaths,
  },
  {
    name: 'managed-replay',
    title: 'a session whose conversation is lost is replayed, started again, or refused',
    scenario: 'multi-turn',
    applies: (c) => THOROUGH.has(c.agent),
    run: checkOtherWays,
  },
]
