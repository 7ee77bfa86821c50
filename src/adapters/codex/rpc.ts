import type { Effect } from '../../contract/dialogue.ts'
import { writeLine } from '../../core/effects.ts'
import type { JsonRecord } from '../../core/json.ts'
import type { DialogueState, RequestId, SentRequest } from './state.ts'

// The app server speaks JSON-RPC without "jsonrpc": one object a line.

export const CLIENT = { name: 'agent_mux', title: 'agent-mux', version: '0.1.0' }

export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number'
}

/** A request of ours. Its answer is recognised by the id. */
export function request(state: DialogueState, sent: SentRequest, method: string, params: JsonRecord): Effect {
  state.requestCount += 1
  state.sent.set(state.requestCount, sent)
  return writeLine({ id: state.requestCount, method, params })
}

/** What an answer is to; undefined when it is to nothing that we know of. */
export function takeSent(state: DialogueState, id: RequestId): SentRequest | undefined {
  if (typeof id !== 'number') return undefined
  const sent = state.sent.get(id)
  state.sent.delete(id)
  return sent
}

export function reply(id: RequestId, result: JsonRecord): Effect {
  return writeLine({ id, result })
}

export function refuse(id: RequestId, message: string): Effect {
  return writeLine({ id, error: { code: -32601, message } })
}
