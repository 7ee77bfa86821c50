import type { Effect, HttpRequest } from '../../contract/dialogue.ts'
import type { DialogueState } from './state.ts'

/** What a request is for: its answer is known by that. */
export type RequestKind = 'health' | 'events' | 'session' | 'prompt' | 'abort' | 'reply'

const USER = 'opencode'

export function request(
  state: DialogueState,
  kind: RequestKind,
  method: HttpRequest['method'],
  path: string,
  body?: unknown,
): Effect {
  state.requestCount += 1
  const requestId = `${kind}-${state.requestCount}`
  return { http: { requestId, method, url: `${state.base}${path}`, body, stream: kind === 'events', user: USER } }
}

export function kindOf(requestId: string): string {
  return requestId.slice(0, requestId.indexOf('-'))
}
