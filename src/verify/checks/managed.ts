import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ManagedSession } from '../../client/index.ts'
import { isAgentMuxError } from '../../contract/errors.ts'
import { type Bench, type Check, must } from '../check.ts'
import type { ManagedBench } from '../managed-bench.ts'

const MADE = 'made-by-tool.txt'

/** Hands over a daemon, and looks that nothing of its sessions is left when it has ended. */
export async function withDaemon(bench: Bench, use: (daemon: ManagedBench) => Promise<void>): Promise<void> {
  const daemon = await bench.managed()
  try {
    await use(daemon)
  } finally {
    await daemon.close()
  }
}

export async function mustBeGone(bench: Bench, daemon: ManagedBench, id: string): Promise<void> {
  const left = (await Promise.all(daemon.runIds(id).map((runId) => bench.processesLeft(runId)))).flat()
  must(left.length === 0, `processes left: ${left.join(', ')}`)
}

/** What a turn comes to: it waits for the next one, or ends where the agent takes one turn a process. */
export function isDone({ capabilities }: Bench, { activity, isLive }: ManagedSession): boolean {
  return capabilities.supportsMultiTurn ? activity.state === 'idle' : !isLive
}

/** The answer is there and the turn is over. */
export function untilSaid(bench: Bench, daemon: ManagedBench, id: string, answer: string): Promise<ManagedSession> {
  return daemon.until(
    id,
    `done with "${answer}"`,
    (session) => isDone(bench, session) && (session.summary?.includes(answer) ?? false),
  )
}

/** All of it in one request to the model. */
export function mustHaveAsked(bench: Bench, ...words: string[]): void {
  const isWhole = bench.sent().some((request) => words.every((one) => request.includes(one)))
  must(isWhole, `no request holds ${words.map((one) => `"${one}"`).join(' and ')}`)
}

/** The error that a request to the daemon was refused with. */
export async function refusalOf(request: Promise<unknown>): Promise<{ code: string; message: string }> {
  const refused = await request.then(
    () => null,
    (error: unknown) => error,
  )
  must(isAgentMuxError(refused), `it was not refused, but ${refused === null ? 'done' : String(refused)}`)
  return refused
}

async function mustBeTold(bench: Bench, daemon: ManagedBench, id: string): Promise<void> {
  const { title, agentSessionId, usage } = await untilSaid(bench, daemon, id, 'Reply A: this is turn 1.')
  must(title === 'first words', `the title is ${title}`)
  if (bench.tells('usage', false)) must(usage.outputTokens === 25, `${usage.outputTokens} output tokens, not 25`)
  if (!bench.tells('session id', false)) return
  must(agentSessionId !== null, 'no session id of the agent')
  if (bench.capabilities.sessionPersistence === 'none') return
  const { transcriptPath } = await daemon.until(id, 'told the transcript', (one) => one.transcriptPath !== null)
  // In a database the place of the session stands behind its path.
  must(existsSync(transcriptPath?.replace(/#[^#]*$/, '') ?? ''), `there is no transcript ${transcriptPath}`)
}

/** A second turn, a permission granted and one denied: all of it on one process. */
async function goOn(bench: Bench, daemon: ManagedBench, id: string): Promise<void> {
  await daemon.client.call('send', { id, text: 'second words' })
  daemon.listen()
  const second = await untilSaid(bench, daemon, id, 'I have seen 2 user turns')
  must(second.usage.turns === 2, `${second.usage.turns} turns, not 2`)
  if (!bench.capabilities.supportsApprovals) return
  bench.server.use('escalate')
  await decide(bench, daemon, id, 'approve')
  must(existsSync(join(bench.cwd, MADE)), 'the approved command has not run')
  rmSync(join(bench.cwd, MADE))
  await decide(bench, daemon, id, 'deny')
  must(!existsSync(join(bench.cwd, MADE)), 'the denied command has run')
  must(daemon.events(id, 'approval_denied').length === 1, 'the denial is not told')
}

async function decide(bench: Bench, daemon: ManagedBench, id: string, decision: 'approve' | 'deny'): Promise<void> {
  const { usage } = await daemon.client.call('getSession', { id })
  await daemon.client.call('send', { id, text: `${decision} it` })
  const { activity, pending } = await daemon.until(id, 'blocked', (one) => one.activity.state === 'blocked')
  const names = [bench.shellTool, `touch ${MADE}`].some((name) => activity.why.includes(name))
  must(names && pending.length === 1, `blocked by ${pending.length}: ${activity.why}`)
  must(!existsSync(join(bench.cwd, MADE)), 'the command has run before it was allowed')
  const { code, message } = await refusalOf(daemon.client.call('send', { id, text: 'yes' }))
  must(code === 'INVALID_STATE_TRANSITION' && message.includes(activity.why), `refused with ${code}: ${message}`)
  await daemon.client.call('answer', { id, interactionId: 'oldest', decision })
  await daemon.until(id, `idle after ${decision}`, (one) => isDone(bench, one) && one.usage.turns > usage.turns)
}

export const managed: readonly Check[] = [
  {
    name: 'managed',
    title: 'a session of the daemon: turns, permissions, end, and back again',
    scenario: 'multi-turn',
    run: (bench) =>
      withDaemon(bench, async (daemon) => {
        const { capabilities } = bench
        const { id } = await daemon.spawn({ prompt: 'first words', options: { approvalMode: 'prompt' } })
        await mustBeTold(bench, daemon, id)
        const states = daemon.states(id)
        must(states[0] === 'spawning' && states[1] === 'active', `its states are ${states.join(', ')}`)
        await daemon.hangUp() // what happens meanwhile is told afterwards
        if (capabilities.supportsMultiTurn) await goOn(bench, daemon, id)
        else daemon.listen()
        await daemon.client.call('kill', { id })
        const ended = await daemon.until(id, 'exited', (one) => !one.isLive)
        must(ended.activity.state === 'exited', `after its end it is ${ended.activity.state}`)
        await mustBeGone(bench, daemon, id)
        if (capabilities.canResume) {
          bench.server.use('multi-turn')
          const { plan } = await daemon.restore(id, { prompt: 'last words' })
          must(plan.kind === 'native', `it came back as ${plan.kind}: ${plan.why}`)
          await daemon.until(id, 'done with the last turn', (one) => one.launch === 2 && isDone(bench, one))
          mustHaveAsked(bench, 'first words', 'last words')
        }
        await daemon.mustBeWhole(id)
      }),
  },
]
