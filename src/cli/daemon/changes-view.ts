import type { DaemonClient } from '../../client/index.ts'
import type { Change } from '../../contract/api/change.ts'
import type { ManagedSession } from '../../contract/api/managed-session.ts'
import type { AgentEvent } from '../../contract/events.ts'
import type { Outcome } from '../../contract/outcome.ts'
import { type Output, widthOf } from '../output.ts'
import type { Ask } from '../run/interactions.ts'
import { RunRenderer } from '../run/render.ts'
import { terminalQuestions } from '../run/terminal-questions.ts'
import { wrapWords } from '../run/text-flow.ts'
import { oneLine, printable } from '../text.ts'
import { Asking } from './answer-in-place.ts'
import { askedText } from './session-text.ts'

export interface FollowOptions {
  client: DaemonClient
  session: ManagedSession
  output: Output
  /** Go on until the session has exited. Else: up to now. */
  follow: boolean
  /** Go on for so many turns at most. */
  turns?: number
  after?: number | string
  debug: boolean
  signal?: AbortSignal
}

const PAGE = 1000
const INTERRUPTED = 130
const COMPLETED: Outcome = { kind: 'completed' }

interface View {
  change(change: Change): Promise<void> | void
  /** Null: nothing is asked, as for programs, which read it in the changes. */
  asking: Asking | null
  /** With how the turn ended that was followed. */
  end(outcome: Outcome | null): void
}

export interface Shown {
  /** As it is in the end. */
  session: ManagedSession
  /** How the last turn ended that was shown; null: none did. */
  lastTurn: Outcome | null
}

/** Shows what happened in a session, and what happens. Resolves when that is over. */
export async function showChanges(options: FollowOptions): Promise<Shown> {
  const { client, output, follow, session, signal, turns = Number.POSITIVE_INFINITY } = options
  const view = output.json ? jsonView(output) : textView(options)
  const id = session.id
  const turnEnd = turnEnds(session.mode)
  let left = turns
  let lastTurn: Outcome | null = null
  let overAt = 0
  /** False: it was the last one. */
  let written: Promise<void> = Promise.resolve()
  const show = async (change: Change): Promise<boolean> => {
    // What comes while a question is on the terminal is shown after it, and read now: it may take it back.
    written = written.then(() => view.asking?.idle).then(() => view.change(change))
    if (!view.asking?.isBusy) await written
    const end = turnEnd(change)
    if (end) {
      left -= 1
      lastTurn = end
    }
    if (end && change.kind === 'event') overAt = change.event.timestamp
    return left > 0 || (await isOpenAt(overAt, options))
  }
  const place = await showPast(options, show)
  if (follow && place !== null) {
    const current = await client.call('getSession', { id })
    if (!current.isLive)
      await showPast({ ...options, after: place }, show) // it has just ended
    else {
      view.asking?.update(current)
      for await (const change of client.changes({ after: place, sessionId: id, signal })) {
        if (!(await show(change)) || change.kind === 'removed') break
        if (change.kind !== 'session') continue
        if (!change.session.isLive) break
        view.asking?.update(change.session)
      }
    }
  }
  view.asking?.close()
  await written
  const now = await client.call('getSession', { id })
  const { outcome, turn, mode } = now
  const last = outcome ?? (mode === 'terminal' ? (turn?.outcome ?? null) : lastTurn)
  view.end(follow ? last : null)
  if (!follow && !output.json) for (const line of askedText(now, output.paint())) output.write(`${line}\n`)
  return { session: now, lastTurn: last }
}

/**
 * Whether a turn whose events ended at this time is still under way for the daemon: of an agent that takes no further
 * turn (`--once`) only its exit says how that one ended. Otherwise the outcome is there together with the event.
 */
async function isOpenAt(overAt: number, { client, session: { id } }: FollowOptions): Promise<boolean> {
  const { isLive, turn } = await client.call('getSession', { id })
  return isLive && turn?.endedAt === null && turn.startedAt <= overAt
}

/** Returns the place after it; null when nothing more is to be shown. */
async function showPast(
  { client, session, after = 0 }: FollowOptions,
  show: (change: Change) => Promise<boolean>,
): Promise<number | string | null> {
  for (let place = after; ; ) {
    const { changes, lastSeq, lastId } = await client.call('sessionEvents', {
      id: session.id,
      after: place,
      limit: PAGE,
    })
    for (const change of changes) {
      if (!(await show(change))) return null
    }
    place = lastId ?? lastSeq // of a daemon that does not say
    if (changes.length < PAGE) return place
  }
}

/** The kinds of notifications that are ends of turns. */
const ENDS: ReadonlySet<string> = new Set(['finished', 'failed', 'limited', 'interrupted'])

/**
 * How a turn ended that ends with a change; null: none does. A terminal has no events: there the end of a turn is a
 * notification, which may come before the change for the typed message.
 */
function turnEnds(mode: ManagedSession['mode']): (change: Change) => Outcome | null {
  if (mode === 'headless') {
    return (change) =>
      change.kind === 'event' && change.event.type === 'turn_end' ? (change.event.outcome ?? COMPLETED) : null
  }
  let [isSent, isOver] = [false, false]
  return (change) => {
    if (change.kind === 'message') isSent = true
    if (change.kind === 'notification') isOver ||= ENDS.has(change.notification.kind)
    if (!isSent || !isOver) return null
    isOver = false
    return COMPLETED
  }
}

/** Whether it is shown why the turn of an event failed; null: as before. */
function showsReason(event: AgentEvent): boolean | null {
  if (event.type === 'turn_start') return false
  return event.type === 'interrupted' || (event.type === 'error' && event.recoverable) ? true : null
}

function jsonView(output: Output): View {
  return { change: (change) => output.writeLine(JSON.stringify(change)), asking: null, end() {} }
}

/** Asks on the terminal, where there is one on both sides. ^C leaves; the agent goes on. */
function askHere({ stdin, stdout }: NodeJS.Process): Ask | null {
  return stdin.isTTY && stdout.isTTY ? terminalQuestions(stdout, () => process.exit(INTERRUPTED)) : null
}

function textView({ client, output, session, debug }: FollowOptions): View {
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
  /** A turn may end without an event that says why: the agent was ended, or the failure comes after the end. */
  let isReasonShown = false
  const show = (change: Change) => {
    if (change.kind === 'event') isReasonShown = showsReason(change.event) ?? isReasonShown
    // What is asked is shown with how to answer it.
    if (change.kind === 'event' && change.event.type !== 'input_required') {
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
      isReasonShown = true
    }
  }
  const asking = new Asking({
    ...{ client, ask: askHere(process), paint },
    say: (line) => output.write(`${wrapWords(line, output.width, '    ', paint)}\n`),
    pause: () => renderer.pause(),
  })
  const end = (outcome: Outcome | null) => {
    renderer.pause()
    if (outcome === null || outcome.kind === 'completed' || isReasonShown) return
    const why = outcome.evidence === undefined ? outcome.kind : `${outcome.kind}: ${oneLine(outcome.evidence)}`
    output.write(`${paint('red', '✗')} ${why}\n`)
  }
  return { change: show, asking, end }
}
