import { expect, test } from 'vitest'
import { builtInAdapters } from '../adapters/index.ts'
import { subjects } from '../adapters/subjects.ts'
import { families, isSharedWithNewer, ONCE_A_FAMILY, ONCE_A_PROGRAM, samePrograms, standIn } from './families.ts'
import { allChecks, checksFor } from './suite.ts'

const manifests = builtInAdapters.map(({ manifest }) => manifest).filter(({ agent }) => subjects[agent])

const claims = (agent: string, check: string) =>
  manifests.some((one) => one.agent === agent && checksFor(one.capabilities).some(({ name }) => name === check))

const onceNames = [...Object.keys(ONCE_A_FAMILY), ...Object.keys(ONCE_A_PROGRAM)]

test('every name in the tables is a check or an agent that there is', () => {
  const names = allChecks.map(({ name }) => name)
  expect(onceNames.filter((name) => !names.includes(name))).toEqual([])
  const members = [...Object.values(families), ...samePrograms].flat()
  expect(members.filter((agent) => !subjects[agent])).toEqual([])
  const named = Object.values(ONCE_A_FAMILY).flatMap((shared) => shared.in ?? [])
  expect(named.filter((name) => !families[name])).toEqual([])
  expect(new Set(Object.values(families).flat()).size).toBe(Object.values(families).flat().length)
})

test.each(onceNames)('%s runs for every agent, or for one that stands in for it', (check) => {
  for (const { agent } of manifests.filter((one) => claims(one.agent, check))) {
    const other = standIn(agent, check, claims)
    if (other === undefined) continue
    expect(claims(other, check)).toBe(true)
    expect(standIn(other, check, claims)).toBeUndefined()
  }
})

/** What differs from agent to agent even within a family, so that each has to prove it. */
const OWN = [
  'text',
  'tool',
  'approve',
  'deny',
  'mode-deny',
  'mode-yolo',
  '401',
  '429',
  '500',
  'quota',
  'credit',
].concat(
  ['context', 'resume', 'usage-truth', 'budget', 'one-shot', 'write', 'mcp', 'interrupt', 'abort-tool', 'terminal'],
  ['terminal-dialog', 'no-key', 'model'],
)

test.each(OWN)('%s is proven by each agent itself', (check) => {
  const agents = manifests.filter(({ agent }) => claims(agent, check))
  expect(agents.length).toBeGreaterThan(0)
  for (const { agent } of agents) expect(standIn(agent, check, claims)).toBeUndefined()
})

test('the older form of an agent leaves to the newer one what their family shares, and proves the rest', () => {
  expect(isSharedWithNewer('pi', 'handoff')).toBe(true)
  expect(isSharedWithNewer('pi', 'text')).toBe(false)
  expect(isSharedWithNewer('codex', 'handoff')).toBe(false)
})
