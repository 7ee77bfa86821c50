import { expect, test } from 'vitest'
import type { Policy } from '../contract/policy.ts'
import { narrowed } from './narrowing.ts'

const policy = (rules: Policy['rules'], more: Partial<Policy> = {}): Policy => ({ version: 1, rules, ...more })
const OWN = policy([{ allow: { kind: 'read' } }, { deny: { command: 'rm *' } }])

test('a project may add rules that forbid or ask, and they come in addition', () => {
  const theirs = policy([{ deny: { kind: 'fetch' } }, { ask: { kind: 'mcp' } }], { default: 'deny' })
  expect(narrowed({ policy: theirs }, {})).toEqual({ kept: { policy: theirs }, refused: [] })
  expect(narrowed({ policy: theirs }, { policy: OWN })).toEqual({
    kept: { policy: { version: 1, rules: [...OWN.rules, ...theirs.rules], default: 'deny' } },
    refused: [],
  })
})

test.each([
  policy([{ allow: { command: 'git status' } }]),
  policy([], { default: 'allow' }),
  '/etc/policy.json',
  { version: 1, rules: 'none' },
])('a project may not bring %j', (theirs) => {
  expect(narrowed({ policy: theirs }, { policy: OWN })).toEqual({ kept: {}, refused: ['policy'] })
})
