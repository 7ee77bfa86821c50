import type { SessionManager } from '../../contract/session-manager.ts'
import { endpoint } from '../http/endpoint.ts'

export type Transcripts = Pick<SessionManager, 'list' | 'get' | 'search'>

/** The agents' own conversations, whoever started them. */
export function transcriptEndpoints(transcripts: Transcripts) {
  return {
    listTranscripts: endpoint('listTranscripts', ({ agent, ...options }) => transcripts.list(agent, options)),
    searchTranscripts: endpoint('searchTranscripts', (input) => transcripts.search(input)),
    getTranscript: endpoint('getTranscript', ({ agent, sessionId }) => transcripts.get(agent, sessionId)),
  }
}
