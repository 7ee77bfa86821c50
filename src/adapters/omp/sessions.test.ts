import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readLines } from '../../files/read-lines.ts'
import { sessions } from './sessions.ts'

const FILE = '2026-11-15T19-09-46-552Z_01a1e09d-96b8-726c-a975-9152ac0078d2.jsonl'

it('knows a project below the home, in the temporary directory, and elsewhere', () => {
  expect(sessions.isSession(`-code-app/${FILE}`, '/home/user/code/app')).toBe(true)
  expect(sessions.isSession(`-tmp-x/${FILE}`, '/tmp/x')).toBe(true)
  expect(sessions.isSession(`--srv-app--/${FILE}`, '/srv/app')).toBe(true)
  expect(sessions.isSession(`-code-app/${FILE}`, '/home/user/code/other')).toBe(false)
  expect(sessions.isSession(`-code-app/2026_x/sub/${FILE}`)).toBe(false)
})

it('knows whose sub-agent wrote a file', () => {
  const folder = '-code-app/2026-11-15T19-09-46-552Z_01a1e09d-96b8-726c-a975-9152ac0078d2'
  expect(sessions.parentOf?.(`${folder}/scripted-subagent.jsonl`)).toBe('01a1e09d-96b8-726c-a975-9152ac0078d2')
  expect(sessions.parentOf?.(`${folder}/one/two.jsonl`)).toBe('01a1e09d-96b8-726c-a975-9152ac0078d2')
  expect(sessions.parentOf?.(`-code-app/${FILE}`)).toBeUndefined()
})

it('reads a session below its line for the title', async () => {
  const path = join(import.meta.dirname, 'fixtures', 'sessions', 'resumed.jsonl')
  expect(await sessions.read(readLines(path), path)).toMatchObject({
    agent: 'omp',
    sessionId: '01a1e097-1e80-7561-9229-4ede96962c84',
    title: 'hello [[text]]',
    turnCount: 4,
    model: 'mock-model',
    cost: { totalUsd: 0.000524 },
  })
})
