import type { DaemonClient } from '../../client/index.ts'
import type { Change } from '../../contract/api/change.ts'
import type { ManagedSession } from '../../contract/api/managed-session.ts'
import { type Output, widthOf } from '../output.ts'
import { RunRenderer } from '../run/render.ts'
import { oneLine, printable } from '../text.ts'

export interface FollowOptions {
  client: DaemonClient
  session: ManagedSession
  output: Output
  /** Go on until the session has exited. Else: up to now. */
  follow: boolean
  /** Go on for so many turns at most. */
  turns?: number
  after?: number
  debug: boolean
  signal?: AbortSignal
}

const PAGE = 1000

interface View {
  change(change: Change): Promise<void> | void
  end(): void
}

/** Shows what happened in a session, and what happens. Resolves with how it is in the end. */
export async function showChanges(options: FollowOptions): Promise<ManagedSession> {
  const { client, output, follow, session, signal, turns = Number.POSITIVE_INFINITY } = options
  const view = output.json ? jsonView(output) : textView(options)
  const id = session.id
  const isTurnEnd = turnEnds(session.mode)
  let left = turns
  /** False: it was the last one. */
  const show = async (change: Change): Promise<boolean> => {
    await view.change(change)
    if (isTurnEnd(change)) left -= 1
    return left > 0
  }
  const place = await showPast(options, show)
  if (follow && place !== null) {
    const { isLive } = await client.call('getSession', { id })
    if (!isLive)
      await showPast({ ...options, after: place }, show) // it has just ended
    else {
      for await (const change of client.changes({ after: place, sessionId: id, signal })) {
        if (!(await show(change)) || change.kind === 'removed') break
        if (change.kind === 'session' && !change.session.isLive) break
      }
    }
  }
  view.end()
  return client.call('getSession', { id })
}

/** Returns the place after it; null when nothing more is to be shown. */
async function showPast(
  { client, session, after = 0 }: FollowOptions,
  show: (change: Change) => Promise<boolean>,
): Promise<number | null> {
  for (let place = after; ; ) {
    const { changes, lastSeq } = await client.call('sessionEvents', { id: session.id, after: place, limit: PAGE })
    for (const change of changes) {
      if (!(await show(change))) return null
    }
    place = lastSeq
    if (changes.length < PAGE) return place
  }
}

/**
 * Tells of each change whether a turn ends with it. A terminal has no events: there its agent comes to rest, which may
 * be before the message is told that was typed into it.
 */
function turnEnds(mode: ManagedSession['mode']): (change: Change) => boolean {
  if (mode === 'headless') return (change) => change.kind === 'event' && change.event.type === 'turn_end'
  let [isTold, isAtWork, isOver] = [false, false, false]
  return (change) => {
    if (change.kind === 'message') isTold = true
    if (change.kind === 'session') {
      const { state } = change.session.activity
      const isRest = state === 'idle' || state === 'waiting_input'
      isOver ||= isAtWork && isRest
      isAtWork = state === 'active' || (isAtWork && !isRest)
    }
    if (!isTold || !isOver) return false
    isOver = false
    return true
  }
}

function jsonView(output: Output): View {
  return { change: (change) => output.writeLine(JSON.stringify(change)), end() {} }
}

function textView({ output, session, debug }: FollowOptions): View {
  const paint = output.paint()
  const renderer = new RunRenderer({
    live: output.stdout.isTTY === true,
    log: (text) => output.write(text),
    answer: (text) => output.write(text),
    paint,
    width: widthOf(output.stdout),
    cwd: session.workspace.path,
    debug,
    agent: session.agent,
  })
  const show = (change: Change) => {
    if (change.kind === 'event') {
      renderer.event(change.event)
      if (change.event.type === 'turn_end') renderer.pause() // nothing may come after it for long
    }
    if (change.kind === 'reset') output.write(`${paint('dim', '— what happened before is not kept any more')}\n`)
    if (change.kind === 'message') {
      renderer.pause()
      const [first = '', ...rest] = printable(change.message.text).split('\n')
      output.write(`\n${paint('bold', `› ${[first, ...rest.map((line) => `  ${line}`)].join('\n')}`)}\n`)
    }
    if (change.kind === 'session' && !change.session.isLive) {
      renderer.pause()
      const { activity, outcome } = change.session
      output.write(`${paint('dim', `— ${outcome?.kind ?? 'exited'}: ${oneLine(activity.why)}`)}\n`)
    }
  }
  return { change: show, end: () => renderer.pause() }
}
