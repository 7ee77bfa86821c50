import { expect, test } from 'vitest'
import { ownDenial } from './denial.ts'

test('the denial answers the request', () => {
  const [request, answer] = ownDenial({ toolCallId: 't', toolName: 'bash' }, 'no')
  expect(request).toMatchObject({ emit: { type: 'approval_request', interactionId: 't', toolName: 'bash' } })
  expect(answer).toEqual({ emit: { type: 'approval_denied', interactionId: 't', reason: 'no' } })
})
