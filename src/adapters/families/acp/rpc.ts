import type {
  AgentNotificationParamsByMethod,
  AgentRequestParamsByMethod,
  ClientRequestResponsesByMethod,
} from '@agentclientprotocol/sdk/unstable'
import type { Effect } from '../../../contract/dialogue.ts'
import { writeLine } from '../../../core/effects.ts'
import type { AcpState, RequestId, SentRequest } from './state.ts'

// JSON-RPC 2.0, one object a line. What we write has the types of the official SDK.

/** The fields of a message of the protocol as they come in: the names are checked, the values are not known yet. */
export type Native<Message> = { readonly [Field in Message extends unknown ? keyof Message : never]?: unknown }

/** Gone from the protocol in favour of config options, still what several agents have. */
interface LegacyRequests {
  'session/set_model': { sessionId: string; modelId: string }
}

type Requests = AgentRequestParamsByMethod & LegacyRequests

export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number'
}

/** A request of ours. Its answer is recognised by the id. */
export function request<Method extends keyof Requests>(
  state: AcpState,
  sent: SentRequest,
  method: Method,
  params: Requests[Method],
): Effect {
  state.requestCount += 1
  state.sent.set(state.requestCount, sent)
  return write({ id: state.requestCount, method, params })
}

export function notify<Method extends keyof AgentNotificationParamsByMethod>(
  method: Method,
  params: AgentNotificationParamsByMethod[Method],
): Effect {
  return write({ method, params })
}

export function reply<Method extends keyof ClientRequestResponsesByMethod>(
  id: RequestId,
  result: ClientRequestResponsesByMethod[Method],
): Effect {
  return write({ id, result })
}

export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603
export const AUTH_REQUIRED = -32000
export const RESOURCE_NOT_FOUND = -32002

export function replyError(id: RequestId, code: number, message: string): Effect {
  return write({ id, error: { code, message } })
}

function write(message: object): Effect {
  return writeLine({ jsonrpc: '2.0', ...message })
}
