import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assistant, call, recordedSession, session, user } from '../../../test/support/sessions.ts'
import { estimateTokens } from '../token-estimate.ts'
import { decisionsIn } from './decisions.ts'
import { filesTouched } from './files-touched.ts'
import { endsUnanswered, openTasks } from './open-tasks.ts'
import { renderHandoff } from './render.ts'
import { turnsOf } from './turns.ts'

describe('a short conversation is handed off whole', () => {
  test('one of Claude Code', async () => {
    const recorded = await recordedSession('claude', 'tool')
    const { text, tokens, leftOut } = renderHandoff({
      session: recorded,
      from: 'Claude Code',
      prompt: 'Now count to three.',
      budget: 5000,
    })
    expect(text.startsWith('Now count to three.\n\nYou take over a conversation that a user had with Claude')).toBe(
      true,
    )
    expect(text).toContain('## The conversation\n\nUser: run echo hi\n\nAgent: I will run a command.')
    expect(text).toContain('[tool Bash] {"command":"echo hi","description":"Print hi"}\n[result] hi')
    expect(text.endsWith('## Your task now\n\nNow count to three.')).toBe(true)
    expect(text).not.toContain('Left out')
    expect(leftOut).toEqual({ turns: 0, messages: 0, shortened: 0 })
    expect(tokens).toBe(estimateTokens(text))
  })

  test('one of Codex names the file that its patch made', async () => {
    const recorded = await recordedSession('codex', 'c-patch-ws')
    expect(renderHandoff({ session: recorded, from: 'Codex CLI', budget: 5000 }).text).toContain(
      '## Files changed\n\n- out.txt (created)',
    )
  })
})

const long = (n: number) =>
  session(
    Array.from({ length: n }, (_, i) => [
      user(`Request ${i}: ${'please '.repeat(20)}`),
      assistant(`We decided to use plan ${i} instead of the other. ${'It goes on. '.repeat(50)}`, [
        call('Edit', { file_path: `/repo/src/file-${i}.ts` }, 'x'.repeat(3000)),
      ]),
    ]).flat(),
    { cwd: '/repo' },
  )

describe('a long conversation', () => {
  const one = long(40)
  const handoff = renderHandoff({ session: one, from: 'Claude Code', prompt: 'Finish it.', budget: 6000 })

  test('is cut to its budget, and says what was left out', () => {
    expect(handoff.tokens).toBeLessThanOrEqual(6000)
    const { turns, messages } = handoff.leftOut
    expect(turns).toBeGreaterThan(20)
    expect(messages).toBe(turns * 2)
    expect(handoff.text).toContain(`Left out: the ${turns} turns before these, ${messages} messages`)
    expect(handoff.text).toContain('`amux sessions show claude:one`')
    expect(handoff.text).toContain(`## The last ${40 - turns} of 40 turns`)
  })

  test('has its last turn in full, and how it began', () => {
    expect(handoff.text).toContain(one.messages.at(-1)?.content.trim())
    expect(handoff.text).toContain('## What it began with\n\n- Request 0: please')
  })

  test('has the newest decisions and files of what is not shown', () => {
    const { turns } = handoff.leftOut
    expect(handoff.text).toContain(`- We decided to use plan ${turns - 1} instead of the other.`)
    expect(handoff.text).toContain('- src/file-39.ts (changed)')
    expect(handoff.text).toMatch(/- … and \d+ more/)
  })

  test('a single turn that is too long is cut in the middle', () => {
    const huge = session([user('begin '.repeat(5000)), assistant(`${'words '.repeat(5000)}the end`)])
    const { text, tokens, leftOut } = renderHandoff({ session: huge, from: 'X', budget: 2000 })
    expect(tokens).toBeLessThanOrEqual(2000)
    expect(text).toContain('characters left out')
    expect(text).toContain('the end')
    expect(leftOut.shortened).toBeGreaterThan(0)
  })

  test('whatever it holds, it keeps the budget', () => {
    const words = fc.string({ unit: 'grapheme', maxLength: 3000 })
    const turn = fc
      .tuple(words, words, words)
      .map(([said, answer, output]) => [
        user(said || 'x'),
        assistant(answer, [call('Bash', { command: said }, output)]),
      ])
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 12 }), fc.integer({ min: 700, max: 20_000 }), (turns, budget) => {
        const { tokens, leftOut } = renderHandoff({ session: session(turns.flat()), from: 'X', budget })
        expect(tokens).toBeLessThanOrEqual(budget)
        expect(leftOut.turns).toBeLessThanOrEqual(turns.length)
      }),
      { numRuns: 300 },
    )
  })
})

test('secrets of the old conversation stay behind', () => {
  const key = `sk-ant-${'a1B2c3D4'.repeat(5)}`
  const one = session([
    user(`use ${key}`),
    assistant('Done.', [call('Bash', { command: `export API_KEY=${key}` }, key)]),
  ])
  const { text } = renderHandoff({ session: one, from: 'X', prompt: 'Go on.', budget: 3000 })
  expect(text).not.toContain(key)
  expect(text).toContain('User: use [redacted]')
})

test('turns begin with what the user says', () => {
  const messages = [assistant('hello'), user('a'), assistant('b'), assistant('c'), user(''), user('d')]
  expect(turnsOf(messages).map((turn) => turn.length)).toEqual([1, 4, 1])
})

describe('files', () => {
  test.each([
    ['Edit', { file_path: '/repo/a.ts' }, 'a.ts', 'changed'],
    ['Write', { file_path: '/repo/a.ts' }, 'a.ts', 'created'],
    ['write_file', { path: 'a.ts' }, 'a.ts', 'created'],
    ['replace', { file_path: 'a.ts' }, 'a.ts', 'changed'],
    ['apply_patch', '*** Begin Patch\n*** Update File: a.ts\n', 'a.ts', 'changed'],
    ['apply_patch', { input: '*** Delete File: a.ts\n' }, 'a.ts', 'deleted'],
    ['read', { filePath: 'a.ts' }, 'a.ts', 'read'],
    ['str_replace_editor', { path: 'a.ts' }, 'a.ts', 'changed'],
    ['mcp__fs__write_file', { path: 'a.ts' }, 'a.ts', 'created'],
    ['multi_edit', { edits: [{ path: 'a.ts' }] }, 'a.ts', 'changed'],
  ])('%s %j', (tool, input, path, change) => {
    const files = filesTouched(session([assistant('', [call(tool, input)])], { cwd: '/repo' }))
    expect([...files]).toEqual([[path, change]])
  })

  test('what happened to a file in the end counts', () => {
    const steps = ['Read', 'Write', 'Edit', 'Read'].map((tool) => call(tool, { path: 'a' }))
    expect([...filesTouched(session([assistant('', steps)]))]).toEqual([['a', 'created']])
    const gone = [...steps, call('delete_file', { path: 'a' })]
    expect([...filesTouched(session([assistant('', gone)]))]).toEqual([['a', 'deleted']])
  })

  test('a shell says nothing about files', () => {
    expect(filesTouched(session([assistant('', [call('Bash', { command: 'rm x', path: 'x' })])])).size).toBe(0)
  })
})

describe('open tasks', () => {
  test.each([
    [
      'TodoWrite',
      {
        todos: [
          { content: 'a', status: 'completed' },
          { content: 'b', status: 'in_progress' },
        ],
      },
    ],
    [
      'update_plan',
      {
        plan: [
          { step: 'a', status: 'completed' },
          { step: 'b', status: 'in_progress' },
        ],
      },
    ],
    [
      'write_todos',
      {
        todos: [
          { description: 'a', status: 'completed' },
          { description: 'b', status: 'in_progress' },
        ],
      },
    ],
    [
      'todowrite',
      {
        todos: JSON.stringify([
          { content: 'a', status: 'done' },
          { content: 'b', status: 'in-progress' },
        ]),
      },
    ],
    [
      'todo',
      {
        ops: [
          {
            tasks: [
              { content: 'a', status: 'completed' },
              { content: 'b', status: 'in_progress' },
            ],
          },
        ],
      },
    ],
  ])('%s', (tool, input) => {
    const early = call(tool, { todos: [{ content: 'old', status: 'pending' }] })
    expect(openTasks(session([assistant('', [early, call(tool, input)])]))).toEqual(['b (in progress)'])
  })

  test('as a list of boxes', () => {
    const todos = '- [x] a\n- [ ] b\n1. [ ] c'
    expect(openTasks(session([assistant('', [call('TodoWrite', { todos })])]))).toEqual(['b', 'c'])
  })

  test('one by one', () => {
    const calls = [
      call('TaskCreate', { subject: 'a' }, 'Task #1 created'),
      call('TaskCreate', { subject: 'b' }, 'Task #2 created'),
      call('TaskUpdate', { taskId: '1', status: 'completed' }, 'ok'),
    ]
    expect(openTasks(session([assistant('', calls)]))).toEqual(['b'])
  })

  test('a turn without an answer is open', () => {
    expect(endsUnanswered(session([user('x')]))).toBe(true)
    expect(endsUnanswered(session([user('x'), assistant('', [call('Bash', {})])]))).toBe(true)
    expect(endsUnanswered(session([user('x'), assistant('done', [call('Bash', {}, 'ok')])]))).toBe(false)
    expect(endsUnanswered(session([]))).toBe(false)
  })
})

test('decisions are answers of the user and sentences that report a choice', () => {
  const question = call('AskUserQuestion', { questions: [{ question: 'Which colour?' }] }, 'Blue')
  const turn = [
    user('x'),
    assistant('I looked at it. I chose SQLite rather than files.\n\n```\ndecided\n```', [question]),
  ]
  expect(decisionsIn([turn])).toEqual([
    'I chose SQLite rather than files.',
    'Asked "Which colour?", the user answered: Blue',
  ])
})
