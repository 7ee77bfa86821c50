import type { Effect, HostRequest } from '../../../contract/dialogue.ts'
import type { AcpState, RequestId } from './state.ts'

/** Asks the engine for something, on behalf of the agent's request `id`, or for the dialogue itself. */
export function hostEffect(state: AcpState, request: HostRequest, id?: RequestId): Effect {
  state.hostCount += 1
  const requestId = `host-${state.hostCount}`
  state.hostRequests.set(requestId, { id, request })
  return { host: { requestId, request } }
}
