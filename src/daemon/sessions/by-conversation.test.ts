import { expect, test } from 'vitest'
import { byConversation } from './by-conversation.ts'

const session = (id: string, agent: string, agentSessionId?: string) => ({ id, agent, metadata: { agentSessionId } })

test('a managed session is found by the id of its conversation', () => {
  const sessions = [
    session('new1', 'claude', 'db77-1'),
    session('old1', 'claude', 'db77-1'),
    session('code', 'codex', 'db78-2'),
    session('none', 'claude'),
  ]
  expect(byConversation(sessions, 'db77')).toEqual(['new1'])
  expect(byConversation(sessions, 'claude:db77')).toEqual(['new1'])
  expect(byConversation(sessions, 'codex:db')).toEqual(['code'])
  expect(byConversation(sessions, 'db')).toEqual(['new1', 'code'])
  expect(byConversation([...sessions, session('more', 'pi', 'db77-12')], 'db77-1')).toEqual(['new1'])
  expect(byConversation(sessions, 'claude:')).toEqual([])
  expect(byConversation(sessions, 'claude')).toEqual([])
})
