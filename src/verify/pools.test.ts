import { expect, test } from 'vitest'
import { longestFirst, runInPools } from './pools.ts'

/** Works on items that end when they are told to, and knows which are under way. */
function workshop() {
  const underWay = new Map<string, () => void>()
  const started: string[] = []
  const work = (item: string) => {
    started.push(item)
    return new Promise<void>((resolve) => underWay.set(item, resolve))
  }
  const finish = async (item: string) => {
    underWay.get(item)?.()
    underWay.delete(item)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { work, finish, started, underWay: () => [...underWay.keys()] }
}

test('each pool keeps to its lanes, and lanes without work help what waits', async () => {
  const { work, finish, underWay } = workshop()
  const busy = { items: ['b1', 'b2', 'b3'], lanes: 2 }
  const all = runInPools([busy, { items: ['w1', 'w2', 'w3'], lanes: 1 }], work)
  expect(underWay()).toEqual(['b1', 'b2', 'w1'])
  await finish('w1')
  expect(underWay()).toEqual(['b1', 'b2', 'w2'])
  await finish('b1')
  expect(underWay()).toEqual(['b2', 'w2', 'b3'])
  await finish('b2')
  expect(underWay()).toEqual(['w2', 'b3', 'w3'])
  for (const item of ['w2', 'b3', 'w3']) await finish(item)
  await all
})

test('a lane of what waits never takes what keeps the processors busy', async () => {
  const { work, finish, underWay } = workshop()
  const all = runInPools(
    [
      { items: ['b1', 'b2'], lanes: 1 },
      { items: ['w1'], lanes: 3 },
    ],
    work,
  )
  await finish('w1')
  expect(underWay()).toEqual(['b1'])
  await finish('b1')
  await finish('b2')
  await all
})

test('the longest come first, and equal ones in their order', () => {
  const cost: Record<string, number> = { a: 1, b: 5, c: 1, d: 9 }
  expect(longestFirst(['a', 'b', 'c', 'd'], (item) => cost[item] ?? 0)).toEqual(['d', 'b', 'a', 'c'])
})
