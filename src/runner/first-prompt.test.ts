import { afterEach, expect, test, vi } from 'vitest'
import type { Sign } from '../contract/activity.ts'
import { FirstPrompt } from './first-prompt.ts'

afterEach(() => void vi.useRealTimers())

test('it is typed when the agent waits for it, and others wait for that', async () => {
  let onReady = () => {}
  const ready = new Promise<void>((resolve) => {
    onReady = resolve
  })
  const said: string[] = []
  const first = new FirstPrompt({ ready, type: async () => void said.push('first'), onFailure: () => {} })
  const second = first.settled().then(() => said.push('second'))
  onReady()
  await second
  expect(said).toEqual(['first', 'second'])
})

test('a prompt that could not be typed is reported, and delays nobody', async () => {
  const signs: Sign[] = []
  const type = () => Promise.reject(new Error('no place'))
  const first = new FirstPrompt({ ready: Promise.resolve(), type, onFailure: (sign) => signs.push(sign) })
  await first.settled()
  expect(signs).toEqual([{ state: 'waiting_input', detail: 'its first prompt could not be typed: no place' }])
})

test('a message does not wait forever', async () => {
  vi.useFakeTimers()
  const first = new FirstPrompt({ ready: new Promise(() => {}), type: async () => {}, onFailure: () => {} })
  const late = expect(first.settled()).rejects.toMatchObject({ code: 'TIMEOUT', recoverable: true })
  await vi.advanceTimersByTimeAsync(60_000)
  await late
})
