/** Work of one kind, and how much of it goes on at a time. */
export interface Pool<Item> {
  items: readonly Item[]
  lanes: number
}

/**
 * Works through all pools at the same time. The lanes of an earlier pool help with the later ones once their own work is
 * done, never the other way round: the first pool holds what keeps the processors busy, the later ones what waits.
 */
export async function runInPools<Item>(
  pools: readonly Pool<Item>[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queues = pools.map(({ items }) => [...items])
  const lane = async (own: number) => {
    for (const queue of queues.slice(own)) {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
    }
  }
  await Promise.all(pools.flatMap(({ lanes }, own) => Array.from({ length: lanes }, () => lane(own))))
}

/** The longest first, so that no lane is left alone with a long one at the end; equal ones keep their order. */
export function longestFirst<Item>(items: readonly Item[], costOf: (item: Item) => number): Item[] {
  const costs = new Map(items.map((item) => [item, costOf(item)]))
  return [...items].sort((a, b) => (costs.get(b) ?? 0) - (costs.get(a) ?? 0))
}
