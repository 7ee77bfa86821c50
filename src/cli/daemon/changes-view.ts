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
  let ended = 0
  const counted: View = {
    ...view,
    change: (change) => {
      if (change.kind === 'event' && change.event.type === 'turn_end') ended += 1
      return view.change(change)
    },
  }
  const place = await showPast(options, counted)
  const { isLive } = await client.call('getSession', { id })
  if (follow && isLive && ended < turns) {
    for await (const change of client.changes({ after: place, sessionId: id, signal })) {
      await counted.change(change)
      if (ended >= turns || change.kind === 'removed') break
      if (change.kind === 'session' && !change.session.isLive) break
    }
  } else if (follow) await showPast({ ...options, after: place }, view) // it has just ended
  view.end()
  return client.call('getSession', { id })
}

/** Returns the place after it. */
async function showPast({ client, session, after = 0 }: FollowOptions, view: View): Promise<number> {
  for (let place = after; ; ) {
    const { changes, lastSeq } = await client.call('sessionEvents', { id: session.id, after: place, limit: PAGE })
    for (const change of changes) await view.change(change)
    place = lastSeq
    if (changes.length < PAGE) return place
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
