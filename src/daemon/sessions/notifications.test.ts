import { describe, expect, test } from 'vitest'
import { ASK, session, take } from '../../../test/support/session-samples.ts'
import { notificationsOf, notifiedOf } from './notifications.ts'
import type { SessionRecord } from './record.ts'

describe('who is notified', () => {
  const busy = take(session(), { type: 'turn_start' })
  const kindsOf = (before: SessionRecord, now: SessionRecord) =>
    notificationsOf(notifiedOf(before), now).map(({ kind }) => kind)
  const ended = (kind: 'completed' | 'crashed' | 'cancelled'): SessionRecord => ({
    ...busy,
    isLive: false,
    outcome: kind === 'completed' ? { kind } : { kind, evidence: 'e' },
  })

  test.each<[string, SessionRecord, SessionRecord, string | null]>([
    ['a dialog', busy, take(busy, ASK), 'blocked'],
    ['no new one', take(busy, ASK), take(busy, ASK, { type: 'debug', level: 'info', message: 'x' }), null],
    ['a second one', take(busy, ASK), take(busy, ASK, { ...ASK, interactionId: 'i2' }), 'blocked'],
    [
      'a question',
      busy,
      take(busy, { type: 'input_required', interactionId: 'q', question: 'Which?', source: 'agent' }),
      'waiting',
    ],
    ['the end of a turn', busy, take(busy, { type: 'turn_end' }), 'finished'],
    [
      'a turn that began and ended at once',
      session(),
      take(session(), { type: 'turn_start' }, { type: 'turn_end' }),
      'finished',
    ],
    [
      'a turn that failed',
      busy,
      take(busy, { type: 'turn_end', outcome: { kind: 'failed', code: 'MODEL_ERROR', evidence: 'no' } }),
      'failed',
    ],
    ['an end in the middle of work', busy, ended('completed'), 'finished'],
    [
      'an end after its last turn, which was told',
      take(busy, { type: 'turn_end' }),
      { ...notifiedOf(take(busy, { type: 'turn_end' })), isLive: false, outcome: { kind: 'completed' } },
      null,
    ],
    ['a crash', busy, ended('crashed'), 'failed'],
    ['a turn that was ended with its agent', busy, ended('cancelled'), 'interrupted'],
    [
      'not of an idle agent that somebody has ended',
      take(busy, { type: 'turn_end' }),
      { ...notifiedOf(take(busy, { type: 'turn_end' })), isLive: false, outcome: { kind: 'cancelled', evidence: 'e' } },
      null,
    ],
    ['not of work', busy, take(busy, { type: 'text_delta', delta: 'x' }), null],
  ])('%s', (_what, before, now, kind) => {
    expect(kindsOf(before, now)).toEqual(kind === null ? [] : [kind])
  })
})
