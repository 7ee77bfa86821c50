import { AgentMuxError } from '../../contract/errors.ts'
import type { SessionManager } from '../../contract/session-manager.ts'
import { endpoint } from '../http/endpoint.ts'

export type Transcripts = Pick<SessionManager, 'list' | 'get'> & Partial<Pick<SessionManager, 'search'>>

/** The agents' own conversations, whoever started them. */
export function transcriptEndpoints(transcripts: Transcripts) {
  return {
    listTranscripts: endpoint('listTranscripts', ({ agent, ...options }) => transcripts.list(agent, options)),
    searchTranscripts: endpoint('searchTranscripts', (input) => {
      if (transcripts.search) return transcripts.search(input)
      throw new AgentMuxError('INTERNAL', 'There is no search yet')
    }),
    getTranscript: endpoint('getTranscript', ({ agent, sessionId }) => transcripts.get(agent, sessionId)),
  }
}
