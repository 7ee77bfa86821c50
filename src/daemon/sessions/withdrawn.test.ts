import { expect, test } from 'vitest'
import type { Change } from '../../contract/api/change.ts'
import type { AgentEvent } from '../../contract/events.ts'
import { historyOf } from './history.ts'

const base = { runId: 'r', agent: 'claude', timestamp: 1 }
const change = (event: AgentEvent): Change => ({
  ...{ kind: 'event', seq: 1, n: 1, sessionId: 's', launch: 1, event },
})
const said = (text: string) => change({ ...base, type: 'message_stop', text })
const withdrawn = (text: string) =>
  change({ ...base, type: 'attempt_withdrawn', attempt: 1, reason: '', scope: 'run', text, toolCallIds: [] })

test('a conversation is written down without what was withdrawn', () => {
  const texts = (...changes: Change[]) => historyOf(changes).map(({ text }) => text)
  expect(texts(said('Old.'), said('Hel'), withdrawn('Hel'), said('Hello.'))).toEqual(['Old.', 'Hello.'])
  expect(texts(said('One.'), said('Two.'), withdrawn('One.Two.'), said('Good.'))).toEqual(['Good.'])
  expect(texts(said('Old.'), withdrawn(''), said('Good.'))).toEqual(['Old.', 'Good.'])
})
