import { setTimeout as sleep } from 'node:timers/promises'
import type { Notification } from '../../contract/api/change.ts'
import type { ManagedSession } from '../../contract/api/managed-session.ts'
import { type Bench, type Check, must, until } from '../check.ts'
import { ManagedBench } from '../managed-bench.ts'

/** A second notification of the same turn would come by then: another source may still report its end. */
const SETTLED_MS = 5000

type IsSo = (session: ManagedSession) => boolean

/** A dialog of its start says nothing about a turn. */
const ENDS: readonly Notification['kind'][] = ['finished', 'failed', 'limited', 'interrupted']

/** What is notified of the end of a turn, once the session shows its end. */
async function notified(managed: ManagedBench, id: string, before: number, isOver: IsSo): Promise<Notification[]> {
  const news = () =>
    managed.seen
      .flatMap((change) => (change.kind === 'notification' ? [change.notification] : []))
      .filter(({ kind }) => ENDS.includes(kind))
      .slice(before)
  await until(
    () => news().length > 0,
    () => 'nothing was notified of the turn',
  )
  await sleep(SETTLED_MS)
  await managed.daemon.session(id, 'at rest with the end of its turn', isOver)
  return news()
}

function mustBeOne(news: readonly Notification[], kind: Notification['kind'], words: RegExp): void {
  const reported = news.map((one) => `${one.kind}: ${one.message}`).join(' / ')
  must(news.length === 1, `${news.length} notifications of one turn: ${reported}`)
  must(news[0]?.kind === kind && words.test(news[0].message), `it is notified as ${reported}`)
}

/** Why a turn on its screen failed, in what a person and a program see of it. */
async function failsOnScreen(bench: Bench): Promise<void> {
  bench.writeScreenFiles({ asks: false })
  const managed = await ManagedBench.open(bench)
  try {
    const { id } = await managed.daemon.spawn({ mode: 'terminal', prompt: 'first words' })
    const hasFailed: IsSo = ({ activity, attention, turn }) =>
      activity.state === 'idle' &&
      /failed/.test(activity.why) &&
      attention?.kind === 'failed' &&
      turn?.outcome?.kind === 'auth_required'
    mustBeOne(await notified(managed, id, 0, hasFailed), 'failed', /^auth_required: .*[a-z]{3}/s)

    bench.server.use('text')
    await managed.client.call('send', { id, text: 'second words' })
    const isDone: IsSo = ({ activity, attention, turn }) =>
      activity.state === 'idle' && attention === null && turn?.outcome?.kind === 'completed'
    mustBeOne(await notified(managed, id, 1, isDone), 'finished', /./)
  } finally {
    await managed.hangUp()
  }
}

export const terminalFailure: readonly Check[] = [
  {
    name: 'terminal-failure',
    title: 'a turn that fails on its screen is shown and notified as failed, and the next one as finished',
    // Claude 2.1 tries again at a 401 for minutes.
    scenario: '403',
    waits: true,
    applies: (c) => c.supportsTerminal === true,
    run: failsOnScreen,
  },
]
