import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { showChanges } from '../src/cli/daemon/changes-view.ts'
import { sessionDetail, sessionTable } from '../src/cli/daemon/session-text.ts'
import { exitCodeOfOutcome } from '../src/cli/exit-codes.ts'
import { Output } from '../src/cli/output.ts'
import type { Change, Input, ManagedSession } from '../src/client/index.ts'
import type { OutcomeKind } from '../src/contract/outcome.ts'
import { kindOfOutcome } from '../src/daemon/sessions/attention.ts'
import { createClientIn } from '../src/mux/client.ts'
import { buildPackage, DaemonHome, type DaemonPackage } from './support/daemons.ts'

let built: DaemonPackage
let daemon: DaemonHome

beforeAll(() => {
  built = buildPackage()
})
afterAll(() => built.remove())
beforeEach(async () => {
  daemon = new DaemonHome(built, built.scenes)
  const profiles = join(daemon.home, 'profiles')
  mkdirSync(profiles, { recursive: true })
  writeFileSync(join(profiles, 'schema.json'), JSON.stringify({ outputSchema: { type: 'object' } }))
  await daemon.serve()
})
afterEach(() => daemon.remove())

interface Case {
  prompt: string
  options?: Input<'spawn'>['options']
  /** What somebody does while it works. */
  act?: (id: string) => Promise<unknown>
  /** The agent is gone with its turn, so there is no turn after it. */
  isLast?: true
}

const answer = (decision: 'approve' | 'deny') => async (id: string) => {
  await daemon.inState(id, 'blocked')
  await daemon.client.call('answer', { id, interactionId: 'oldest', decision })
}

/** One way to each outcome. A new kind does not compile until it has one. */
const CASES: Record<OutcomeKind, Case> = {
  completed: { prompt: 'say hello' },
  permission_blocked: { prompt: 'ask', act: answer('deny') },
  question_unanswered: { prompt: 'giveup' },
  auth_required: { prompt: 'fail 401 Invalid API key' },
  quota_exhausted: { prompt: 'fail 402 Credit balance is too low' },
  rate_limited: { prompt: 'fail 429 Rate limit exceeded' },
  context_exhausted: { prompt: 'fail 400 Prompt is too long' },
  turn_limit: { prompt: 'turns' },
  failed: { prompt: 'fail 500 API Error: 500 Internal server error' },
  cancelled: {
    prompt: 'slow',
    act: async (id) => {
      await daemon.session(id, 'work', ({ summary }) => summary === 'still here')
      await daemon.client.call('interrupt', { id })
    },
  },
  budget_exceeded: { prompt: 'say hello', options: { maxCostUsd: 0.000001 }, isLast: true },
  // A session that stays open takes no schema.
  output_invalid: { prompt: 'say hello', options: { profile: 'schema', keepOpen: false }, isLast: true },
  timed_out: { prompt: 'slow', options: { timeout: 1500 }, isLast: true },
  crashed: { prompt: 'crash', isLast: true },
  protocol_drift: { prompt: 'leave', isLast: true },
}

const ALL = Object.entries(CASES) as [OutcomeKind, Case][]

function output(): Output {
  const stream = { write: () => true, once: () => undefined }
  return new Output({ stdout: stream, stderr: stream, env: {}, json: false, noColor: true })
}

function notified(changes: readonly Change[]): string[] {
  return changes.flatMap((change) => (change.kind === 'notification' ? [change.notification.kind] : []))
}

/** The ends of turns; a dialog on the way is told on its own. */
function endsIn(changes: readonly Change[]): string[] {
  return notified(changes).filter((kind) => kind !== 'blocked' && kind !== 'waiting')
}

/** What people read agrees with what programs read. */
function mustShow(session: ManagedSession, kind: OutcomeKind): void {
  const [table, detail] = [sessionTable([session], output(), 0), sessionDetail(session, output(), 0)]
  const isFine = kind === 'completed' || kind === 'cancelled'
  const isLimited = kind === 'quota_exhausted' || kind === 'rate_limited'
  if (session.isLive) {
    const word = isFine ? 'idle' : isLimited ? 'limited' : 'failed'
    expect(table).toContain(` ${word}`)
    expect(detail).toContain(`state       ${word}`)
    if (kind !== 'completed') expect(detail).not.toContain('its turn is over')
    if (!isFine) expect(detail).toContain(kind)
  } else
    expect(detail).toMatch(
      isLimited ? /limited/ : new RegExp(kind === 'completed' ? 'finished' : kind.replace('_', ' ')),
    )
  expect(session.attention?.kind ?? null).toBe(isFine ? null : isLimited ? 'limited' : 'failed')
}

test('the session, its lists and its notification say how each turn ended', async () => {
  const sessions = await Promise.all(
    ALL.map(async ([kind, { prompt, options, act, isLast }]) => {
      const { id } = await daemon.spawn(prompt, { options, name: kind })
      await act?.(id)
      const session = await daemon.session(id, `the end of the turn (${kind})`, ({ turn, isLive }) => {
        return turn?.outcome != null && (!isLast || !isLive)
      })
      expect(session.turn?.outcome).toMatchObject({ kind })
      if (isLast) expect(session.outcome).toMatchObject({ kind })
      mustShow(session, kind)
      return { id, kind, told: [kindOfOutcome({ kind, evidence: '', code: 'INTERNAL' })] }
    }),
  )
  const notifications = () => Promise.all(sessions.map(async ({ id }) => endsIn(await daemon.changes(id))))
  expect(await notifications()).toEqual(sessions.map(({ told }) => told))
  // Nothing is told again by another daemon, nor when the agent is ended between two turns.
  await daemon.kill()
  await daemon.serve()
  const killed = await Promise.all(sessions.map(({ id }) => daemon.client.call('kill', { id })))
  expect(killed.map(({ turn }) => turn?.outcome?.kind)).toEqual(sessions.map(({ kind }) => kind))
  expect(await notifications()).toEqual(sessions.map(({ told }) => told))
}, 120_000)

/** Those that a program can bring about without anybody's help. */
const ALONE = ALL.filter(([, { act }]) => act === undefined)

test('run, spawn -f and send -f come to the same outcome', async () => {
  const { client } = daemon
  const mux = createClientIn(daemon.env, { configDir: daemon.home, projectConfigDir: daemon.home })
  const follow = (session: ManagedSession, after: number, turns?: number) =>
    showChanges({ client, session, output: output(), follow: true, after, turns, debug: false })
  const run = async ({ prompt, options }: Case) =>
    (await mux.run({ agent: 'claude', cwd: daemon.work, prompt, ...options })).outcome.kind
  const spawn = async ({ prompt, options }: Case) => {
    const { session } = await follow(await daemon.spawn(prompt, { options: { ...options, keepOpen: false } }), 0)
    return session.outcome?.kind
  }
  const send = async ({ prompt }: Case) => {
    const { id } = await daemon.spawn('say first')
    await daemon.inState(id, 'idle')
    const session = await client.call('send', { id, text: prompt })
    return (await follow(session, session.sent?.after ?? 0, session.sent?.turns)).lastTurn?.kind
  }
  for (const [kind, given] of ALONE) {
    const isOfRun = given.options !== undefined // it holds for the whole run, not for a turn
    const ends = await Promise.all([run(given), spawn(given), isOfRun ? kind : send(given)])
    expect(ends, kind).toEqual([kind, kind, kind])
  }
}, 180_000)

test('an agent that reports a failure and exits with 0 has failed, everywhere', async () => {
  const { code, stdout } = await daemon.amux(
    'spawn',
    'claude',
    'failing 500 API Error: 500 Internal server error',
    '-f',
  )
  expect(code).toBe(exitCodeOfOutcome('failed'))
  expect(stdout, 'who follows reads why').toContain('Internal server error')
  const [spawned] = await daemon.client.call('listSessions')
  // The turn is over for who follows; the agent leaves after it.
  const session = await daemon.session(spawned?.id ?? '', 'ended', ({ isLive }) => !isLive)
  expect(session).toMatchObject({ isLive: false, outcome: { kind: 'failed' }, attention: { kind: 'failed' } })
  expect((await daemon.amux('ls')).stdout).toMatch(/ failed /)
  expect(endsIn(await daemon.changes(session.id))).toEqual(['failed'])
  const live = await daemon.spawn('say one')
  await daemon.inState(live.id, 'idle')
  const sent = await daemon.amux('send', live.id, 'fail 402 Credit balance is too low', '-f')
  expect(sent.code).toBe(exitCodeOfOutcome('quota_exhausted'))
}, 60_000)

test('spawn --once -f waits for the exit, which alone says how its turn ended', async () => {
  const ofTurns = ALONE.filter(([, { options }]) => options === undefined)
  const codes = ofTurns.map(async ([kind, { prompt }]) => {
    const { code } = await daemon.amux('spawn', 'claude', ...prompt.split(' '), '--once', '-f')
    return [kind, code]
  })
  expect(await Promise.all(codes)).toEqual(ofTurns.map(([kind]) => [kind, exitCodeOfOutcome(kind)]))
}, 120_000)

test('what waits says for what, and which place it has', async () => {
  await daemon.stop()
  daemon.settings({ maxLive: 1 })
  await daemon.serve()
  const first = await daemon.spawn('say one')
  const [second, third] = [await daemon.spawn('say two'), await daemon.spawn('say three')]
  expect(second).toMatchObject({ activity: { state: 'queued' }, waiting: { for: 'place', position: 1, until: null } })
  expect(third).toMatchObject({ waiting: { position: 2, why: expect.stringContaining('1 of 1 sessions are live') } })
  expect((await daemon.amux('ls')).stdout).toMatch(/queued #2.*queued #1/s)
  await daemon.client.call('kill', { id: first.id })
  await daemon.inState(second.id, 'idle')
  expect(await daemon.client.call('getSession', { id: third.id })).toMatchObject({ waiting: { position: 1 } })
}, 60_000)
