import { describe, expect, test } from 'vitest'
import { assistant, call, session, user } from '../../../test/support/sessions.ts'
import type { SessionSummary } from '../../contract/sessions.ts'
import { Output, type TextStream } from '../output.ts'
import { barOf, withProgressBar } from '../progress.ts'
import { displayWidth } from '../text.ts'
import { excerptOf } from './excerpt.ts'
import { sessionTable, shortIds } from './table.ts'

const NOW = Date.UTC(2026, 10, 15, 12)

function terminal(columns: number): { stream: TextStream; written: string[] } {
  const written: string[] = []
  const write = (text: string) => written.push(text) > 0
  return { stream: { write, once: () => undefined, isTTY: true, columns }, written }
}

function outputOf(columns: number) {
  const { stream: stdout } = terminal(columns)
  const { stream: stderr, written } = terminal(columns)
  return { output: new Output({ stdout, stderr, env: {}, json: false, noColor: true }), written }
}

const summary = (sessionId: string, more: Partial<SessionSummary> = {}): SessionSummary => ({
  ...{ agent: 'claude', sessionId, unifiedId: `claude:${sessionId}`, title: 'A title', createdAt: 0 },
  ...{ updatedAt: NOW - 60_000, turnCount: 3, messageCount: 6, tags: [], cwd: '/home/me/project', model: 'opus' },
  ...more,
})

describe('a table of sessions', () => {
  const sessions = [
    summary('aaaaaaaa-1', { title: '修复登录页面的错误 🎉 并添加测试，谢谢你的帮助'.repeat(3) }),
    summary('bbbbbbbb-2', { forkedFrom: 'x', title: 'e\u0301'.repeat(200) }),
  ]

  test.each([40, 60, 70, 80, 100, 200])('fits %i columns', (columns) => {
    const { output } = outputOf(columns)
    for (const line of sessionTable(sessions, output, NOW).trimEnd().split('\n')) {
      expect(displayWidth(line)).toBeLessThanOrEqual(columns)
    }
  })

  test('shows costs when they are known, and marks what was made from another', () => {
    const { output } = outputOf(120)
    expect(sessionTable(sessions, output, NOW)).not.toContain('COST')
    const cost = { totalUsd: 1.5, inputTokens: 1, outputTokens: 1 }
    expect(sessionTable([summary('a', { cost }), summary('b', { continuedFrom: 'codex:x' })], output, NOW)).toBe(
      [
        'ID        UPDATED  TITLE      PROJECT  MODEL  TURNS      COST',
        'claude:a  1m ago   A title    project  opus       3     $1.50',
        'claude:b  1m ago   ↳ A title  project  opus       3  unpriced\n',
      ].join('\n'),
    )
  })

  test('has as much of an id as distinguishes it from the others', () => {
    const ids = ['01a1e098-1c8d', '01a1e098-1c9f', '01a1e09b-d38e', 'ab']
    expect(shortIds(ids.map((sessionId) => ({ agent: 'codex', sessionId })))).toEqual([
      'codex:01a1e098-1c8',
      'codex:01a1e098-1c9',
      'codex:01a1e09b',
      'codex:ab',
    ])
  })
})

describe('progress', () => {
  test('a bar', () => {
    expect(barOf('Reading', { done: 1, total: 4 })).toBe(`Reading ${'█'.repeat(6)}${'░'.repeat(18)} 1/4`)
    expect(barOf('Reading', { done: 0, total: 0 })).toContain('█'.repeat(24))
  })

  test('is shown only when it takes a while, and taken back', async () => {
    const { output, written } = outputOf(80)
    await withProgressBar(output, 'Reading', async (report) => report({ done: 1, total: 2 }))
    expect(written).toEqual([])
    await withProgressBar(output, 'Reading', async (report) => {
      report({ done: 1, total: 2 })
      await new Promise((resolve) => setTimeout(resolve, 350))
      report({ done: 2, total: 2 })
    })
    expect(written.join('')).toContain('1/2')
    expect(written.at(-1)).toBe('\r\u001b[K')
  })

  test('fits on one line: one that wraps could not be taken back', async () => {
    const { output, written } = outputOf(40)
    await withProgressBar(output, 'Reading claude', async (report) => {
      report({ done: 12, total: 12 })
      await new Promise((resolve) => setTimeout(resolve, 350))
    })
    expect(written.join('')).toContain('Reading claude')
    for (const text of written) expect(displayWidth(text.replace('\r\u001b[K', ''))).toBeLessThan(40)
  })
})

test('an excerpt is the first place of a word, with what is around it', () => {
  const one = session([user('hello'), assistant('', [call('Bash', { command: 'make zebra' }, 'ok')])])
  expect(excerptOf(one, ['ZEBRA'])).toBe('Bash: {"command":"make zebra"} ok')
  expect(excerptOf(one, ['hell'])).toBe('user: hello')
  expect(excerptOf(one, ['lion'])).toBeNull()
})
