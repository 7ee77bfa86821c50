import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EVIDENCE_SOURCES, type Fact } from '../contract/activity.ts'
import { addFact, ageOf, type Evidence, judge, noEvidence } from './evidence.ts'

function fact(source: Fact['source'], state: Fact['state'], at: number, more: Partial<Fact> = {}): Fact {
  return { source, state, at, launch: 1, ...more }
}

function gather(facts: readonly Fact[], from: Evidence = noEvidence(1)): Evidence {
  return facts.reduce(addFact, from)
}

const HOUR = 3_600_000

const RULES: [rule: string, facts: Fact[], state: string][] = [
  ['nothing heard is unknown, not idle', [], 'unknown'],
  ['started and silent is spawning', [fact('process', 'spawning', 1)], 'spawning'],
  ['the first hook ends spawning', [fact('process', 'spawning', 1), fact('hook', 'active', 2)], 'active'],
  ['any first sign ends spawning', [fact('hook', 'spawning', 1), fact('screen', 'idle', 2)], 'idle'],

  ['a stream wins over a hook', [fact('protocol', 'active', 10), fact('hook', 'idle', 10 + HOUR)], 'active'],
  ['a hook wins over a transcript', [fact('hook', 'idle', 10), fact('transcript', 'active', 10)], 'idle'],
  ['a transcript wins over a screen', [fact('transcript', 'idle', 10), fact('screen', 'active', 10)], 'idle'],
  ['a screen wins over a process', [fact('screen', 'idle', 10), fact('process', 'active', 10 + HOUR)], 'idle'],
  ['soon after a hook the hook is believed', [fact('hook', 'active', 10), fact('transcript', 'idle', 1000)], 'active'],
  ['a lost hook heals by the transcript', [fact('hook', 'active', 10), fact('transcript', 'idle', 6000)], 'idle'],
  ['a lost hook heals by the screen, later', [fact('hook', 'active', 10), fact('screen', 'idle', 11_000)], 'idle'],
  ['the screen alone is not believed soon', [fact('hook', 'active', 10), fact('screen', 'idle', 5000)], 'active'],
  ['a late message changes nothing', [fact('hook', 'idle', 20), fact('hook', 'active', 10)], 'idle'],

  ['blocked is not waiting', [fact('hook', 'blocked', 1)], 'blocked'],
  ['waiting is not blocked', [fact('hook', 'waiting_input', 1)], 'waiting_input'],
  ['blocked does not decay', [fact('hook', 'blocked', 1), fact('process', 'unknown', 9 * HOUR)], 'blocked'],
  ['waiting does not decay', [fact('hook', 'waiting_input', 1), fact('process', 'unknown', 9 * HOUR)], 'waiting_input'],
  ['progress clears waiting', [fact('hook', 'waiting_input', 10), fact('transcript', 'active', 11)], 'active'],
  ['progress by the same source, too', [fact('hook', 'waiting_input', 10), fact('hook', 'active', 11)], 'active'],
  ['earlier progress does not', [fact('hook', 'waiting_input', 10), fact('transcript', 'active', 9)], 'waiting_input'],
  [
    'a live process is not progress',
    [fact('hook', 'waiting_input', 10), fact('process', 'active', 99)],
    'waiting_input',
  ],

  ['work beside a dialog leaves it open', [fact('hook', 'blocked', 10), fact('hook', 'active', 11)], 'blocked'],
  ['so does a transcript that grows', [fact('hook', 'blocked', 10), fact('transcript', 'active', HOUR)], 'blocked'],
  ['so does a question', [fact('hook', 'blocked', 10), fact('hook', 'waiting_input', 11)], 'blocked'],
  [
    'its own end closes it',
    [fact('hook', 'blocked', 10, { dialog: 'a' }), fact('hook', 'active', 11, { closes: 'a' })],
    'active',
  ],
  [
    'the end of another does not',
    [fact('hook', 'blocked', 10, { dialog: 'a' }), fact('hook', 'active', 11, { closes: 'b' })],
    'blocked',
  ],
  [
    'of two the other stays',
    [
      fact('protocol', 'blocked', 10, { dialog: 'a' }),
      fact('protocol', 'blocked', 11, { dialog: 'b' }),
      fact('protocol', 'active', 12, { closes: 'a' }),
    ],
    'blocked',
  ],
  [
    'an end that was reported first closes as well',
    [fact('hook', 'active', 11, { closes: 'a' }), fact('hook', 'blocked', 10, { dialog: 'a' })],
    'active',
  ],
  ['the end of the turn closes all', [fact('hook', 'blocked', 10, { dialog: 'a' }), fact('hook', 'idle', 11)], 'idle'],
  ['a new prompt closes all', [fact('hook', 'blocked', 10), fact('hook', 'active', 11, { closes: true })], 'active'],
  [
    'a dialog that was reported with the new turn, in the same millisecond, is open',
    [fact('protocol', 'active', 10, { closes: true }), fact('protocol', 'blocked', 10), fact('process', 'active', 11)],
    'blocked',
  ],
  ['and one that was closed in its own is not', [fact('hook', 'blocked', 10), fact('hook', 'idle', 10)], 'idle'],
  ['a dialog on the screen counts', [fact('hook', 'active', 10), fact('screen', 'blocked', 11)], 'blocked'],
  ['and is gone when the screen says so', [fact('screen', 'blocked', 10), fact('screen', 'idle', 11)], 'idle'],
  ['a screen cannot close a dialog of a hook', [fact('hook', 'blocked', 10), fact('screen', 'idle', HOUR)], 'blocked'],
  [
    'but one that has shown it can',
    [fact('hook', 'blocked', 10), fact('screen', 'blocked', 11), fact('screen', 'idle', 12, { closes: true })],
    'idle',
  ],
  [
    'a transcript can, when it says so',
    [fact('hook', 'blocked', 10), fact('transcript', 'idle', 11, { closes: true })],
    'idle',
  ],

  ['a failed look is not death', [fact('hook', 'active', 10), fact('process', 'unknown', 11)], 'active'],
  ['nor does it take back a sight', [fact('screen', 'idle', 10), fact('screen', 'unknown', 11)], 'idle'],
  ['a process that is gone is gone', [fact('protocol', 'active', 10), fact('process', 'exited', 11)], 'exited'],
  ['exit closes every dialog', [fact('hook', 'blocked', 10), fact('process', 'exited', 11)], 'exited'],
  ['nothing of a launch comes after its end', [fact('process', 'exited', 10), fact('hook', 'idle', 11)], 'exited'],
  ['a goodbye by hook is not an exit: it may go on', [fact('hook', 'exited', 10), fact('hook', 'idle', 11)], 'idle'],
  ['a goodbye alone is believed', [fact('hook', 'active', 9), fact('hook', 'exited', 10)], 'exited'],

  ['an older launch is ignored', [fact('hook', 'idle', 10), fact('hook', 'active', 99, { launch: 0 })], 'idle'],
  [
    'an exited launch can be followed by another',
    [fact('process', 'exited', 10), fact('process', 'spawning', 11, { launch: 2 })],
    'spawning',
  ],
  ['a new launch has no open dialog', [fact('hook', 'blocked', 10), fact('hook', 'idle', 11, { launch: 2 })], 'idle'],
]

describe('evidence', () => {
  test.each(RULES)('%s', (_rule, facts, state) => {
    expect(judge(gather(facts)).state).toBe(state)
  })

  test('says why, from what, and since when', () => {
    const activity = judge(
      gather([
        fact('hook', 'active', 10, { detail: 'runs Bash' }),
        fact('hook', 'active', 30, { detail: 'runs Edit' }),
        fact('screen', 'active', 40),
      ]),
    )
    expect(activity).toEqual({ state: 'active', launch: 1, why: 'runs Edit', source: 'hook', at: 30, since: 10 })
    expect(ageOf(activity, 100)).toBe(70)
    expect(ageOf(judge(noEvidence(1)), 100)).toBeNull()
  })

  test('a dialog that is reported twice counts from when it was reported last, in whatever order', () => {
    const [first, again] = [fact('hook', 'blocked', 10, { dialog: 'a' }), fact('hook', 'blocked', 20, { dialog: 'a' })]
    expect(judge(gather([first, again]))).toEqual(judge(gather([again, first])))
  })

  test('of several dialogs the oldest is named', () => {
    const facts = [
      fact('hook', 'blocked', 10, { dialog: 'a', detail: 'Bash' }),
      fact('hook', 'blocked', 11, { dialog: 'b', detail: 'Edit' }),
    ]
    expect(judge(gather(facts))).toMatchObject({ why: 'Bash', since: 10 })
  })
})

const states = ['spawning', 'idle', 'active', 'waiting_input', 'blocked', 'exited', 'unknown'] as const
const someFacts = fc.uniqueArray(
  fc.record({
    state: fc.constantFrom(...states),
    source: fc.constantFrom(...EVIDENCE_SOURCES),
    at: fc.integer({ min: 1, max: 200_000 }),
    launch: fc.integer({ min: 1, max: 2 }),
    dialog: fc.constantFrom('a', 'b', undefined),
    closes: fc.constantFrom<string | true | undefined>('a', 'b', true, undefined),
  }),
  { selector: ({ at }) => at, maxLength: 25 },
)

function verdict(evidence: Evidence) {
  const { since: _since, ...rest } = judge(evidence)
  return rest
}

describe('evidence, whatever the facts', () => {
  test('the order in which they arrive does not matter', () => {
    fc.assert(
      fc.property(
        someFacts.chain((facts) =>
          fc.tuple(
            fc.constant(facts),
            fc.shuffledSubarray(facts, { minLength: facts.length, maxLength: facts.length }),
          ),
        ),
        ([facts, shuffled]) => {
          // Two ends of one launch are both the end: which of them is named depends on who came first.
          const ends = facts.filter(({ state, source }) => state === 'exited' && /^pro/.test(source))
          fc.pre(new Set(ends.map(({ launch }) => launch)).size === ends.length)
          expect(verdict(gather(shuffled))).toEqual(verdict(gather(facts)))
        },
      ),
    )
  })

  test('it can be stored and read back at any point', () => {
    fc.assert(
      fc.property(someFacts, fc.nat(25), (facts, at) => {
        const stored: Evidence = JSON.parse(JSON.stringify(gather(facts.slice(0, at))))
        expect(judge(gather(facts.slice(at), stored))).toEqual(judge(gather(facts)))
      }),
    )
  })

  test('a failed look never changes the verdict', () => {
    fc.assert(
      fc.property(someFacts, fc.constantFrom(...EVIDENCE_SOURCES), (facts, source) => {
        const evidence = gather(facts)
        const looked = addFact(evidence, fact(source, 'unknown', 300_000, { launch: evidence.launch }))
        expect(judge(looked)).toEqual(judge(evidence))
      }),
    )
  })

  test('an older launch never changes it either', () => {
    fc.assert(
      fc.property(someFacts, fc.constantFrom(...states), (facts, state) => {
        const evidence = gather(facts, noEvidence(2))
        expect(addFact(evidence, fact('protocol', state, 300_000, { launch: 1, closes: true }))).toBe(evidence)
      }),
    )
  })

  test('plain work never unblocks', () => {
    fc.assert(
      fc.property(someFacts, fc.constantFrom(...EVIDENCE_SOURCES), (facts, source) => {
        const before = gather([
          ...facts.filter(({ state }) => state !== 'exited'),
          fact('hook', 'blocked', 250_000, { launch: 2 }),
        ])
        expect(judge(addFact(before, fact(source, 'active', 900_000_000, { launch: 2 }))).state).toBe('blocked')
      }),
    )
  })
})
