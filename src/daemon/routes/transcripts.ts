import type { SessionManager } from '../../contract/session-manager.ts'
import { endpoint } from '../http/endpoint.ts'

/** The agents' own conversations, no matter who started them. */
export function transcriptEndpoints(transcripts: Pick<SessionManager, 'list' | 'get' | 'search'>) {
  return {
    listTranscripts: endpoint('listTranscripts', ({ agent, ...options }) => transcripts.list(agent, options)),
    searchTranscripts: endpoint('searchTranscripts', (input) => transcripts.search(input)),
    getTranscript: endpoint('getTranscript', ({ agent, sessionId }) => transcripts.get(agent, sessionId)),
  }
}
