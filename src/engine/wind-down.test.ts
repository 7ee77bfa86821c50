import { expect, test } from 'vitest'
import { calmDown, hold, untilCounted, windDown } from './wind-down.ts'

const forever = new Promise<never>(() => {})

function agent(canBeInterrupted: boolean) {
  const done: string[] = []
  const attempt = { signal: (name: string) => void done.push(name), closed: forever }
  const port = {
    interrupt() {
      if (canBeInterrupted) done.push('interrupt')
      return canBeInterrupted
    },
    turnOver: Promise.resolve(),
    look: async () => void done.push('look'),
  }
  return { done, attempt, port }
}

test('an agent that can be interrupted ends its turn and has all the time to leave', async () => {
  const { done, attempt, port } = agent(true)
  expect(await windDown(attempt, port)).toBeUndefined()
  expect(done).toEqual(['interrupt', 'SIGCONT'])
})

test('an agent without an interrupt is stopped while its store is looked at, and then leaves at once', async () => {
  const { done, attempt, port } = agent(false)
  expect(await windDown(attempt, port)).toBe(0)
  expect(done).toEqual(['SIGSTOP', 'look'])
})

test('an agent that is ended is interrupted first, so that it does not ask for more when its tools are ended', async () => {
  const { done, attempt, port } = agent(true)
  await calmDown(attempt, { ...port, turnOver: forever })
  expect(done).toEqual(['interrupt', 'SIGCONT'])
  const other = agent(false)
  await calmDown(other.attempt, other.port)
  expect(other.done).toEqual([])
})

test('an agent whose usage is counted is not held at all', async () => {
  const { done, attempt, port } = agent(false)
  await hold(attempt, { look: port.look, isCounted: () => true, mayGoOn: () => true })
  expect(done).toEqual([])
})

test('an agent that writes its usage down late goes on for moments until it is counted', async () => {
  const { done, attempt, port } = agent(false)
  const isCounted = () => done.filter((one) => one === 'look').length === 2
  expect(await hold(attempt, { look: port.look, isCounted, mayGoOn: () => true })).toBe(true)
  expect(done).toEqual(['SIGSTOP', 'look', 'SIGCONT', 'look'])
})

test('a look that never ends holds nobody for long', async () => {
  const { done, attempt } = agent(false)
  const isFound = await hold(attempt, { look: () => forever, isCounted: () => false, mayGoOn: () => true })
  expect(isFound).toBe(false)
  expect(done.at(-1)).toBe('SIGCONT')
})

test('an agent that is paused or being ended stays held', async () => {
  const { done, attempt, port } = agent(false)
  await hold(attempt, { look: port.look, isCounted: () => false, mayGoOn: () => false })
  expect(done).toEqual(['SIGSTOP', 'look'])
})

test('an agent that waits for an answer is left alone until it has written down what it has used', async () => {
  const { done, port } = agent(false)
  const isCounted = () => done.length === 3
  expect(await untilCounted({ look: port.look, isCounted, mayGoOn: () => true })).toBe(true)
  expect(done).toEqual(['look', 'look', 'look'])
  expect(await untilCounted({ look: port.look, isCounted: () => false, mayGoOn: () => false })).toBe(false)
})
