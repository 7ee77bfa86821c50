import { expect, test } from 'vitest'
import { createDialogue } from './dialogue.ts'

const announced = JSON.stringify({
  type: 'system',
  subtype: 'retry',
  session_id: 's',
  data: { reason: 'retry', attempt: 1, maxRetries: 10, delayMs: 60_000 },
})

test.each([
  [503, [{ type: 'retry', reason: 'status 503' }]],
  [429, [{ type: 'retry', reason: 'rate limit' }, { type: 'rate_limited' }]],
])('what its log has called a status of %i is a limit only where it was one', (status, events) => {
  const dialogue = createDialogue({ prompt: 'x' })
  dialogue.onLine(`Attempt 7 failed with status ${status}. Retrying with backoff in 30000ms`, 'stderr')
  const said = dialogue.onLine(announced, 'stdout').flatMap((effect) => ('emit' in effect ? [effect.emit] : []))
  expect(said).toMatchObject(events)
  expect(said).toHaveLength(events.length)
})
