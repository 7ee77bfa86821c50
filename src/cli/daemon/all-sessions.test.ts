import { expect, test } from 'vitest'
import { Output, type TextStream } from '../output.ts'
import { allTable } from './all-sessions.ts'

function shown(stream: Pick<TextStream, 'isTTY' | 'columns'>): string {
  const stdout: TextStream = { write: () => true, once: () => undefined, ...stream }
  const output = new Output({ stdout, stderr: stdout, env: {}, json: false, noColor: true })
  const ended = {
    ...{ kind: 'transcript' as const, agent: 'claude', sessionId: 'aaaaaaaa-1', unifiedId: 'claude:aaaaaaaa-1' },
    ...{ title: 'Review the diff', createdAt: 0, updatedAt: 0, turnCount: 1, messageCount: 2, tags: [] },
  }
  return allTable([ended], output, 60_000)
}

test.each([
  ['a terminal of 40 columns', { isTTY: true, columns: 40 }],
  ['a terminal of 80 columns', { isTTY: true, columns: 80 }],
  ['a terminal of 160 columns', { isTTY: true, columns: 160 }],
  ['a pipe', { isTTY: false }],
])('the title of an ended conversation is shown once in %s', (_where, stream) => {
  const text = shown(stream)
  expect(text.match(/Review/g)).toHaveLength(1)
  expect(text.match(/WHY/g)).toHaveLength(1)
})
