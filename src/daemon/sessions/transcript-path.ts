import { isAgentMuxError } from '../../contract/errors.ts'
import { judge } from '../../core/evidence.ts'
import type { Log } from '../log.ts'
import type { Recorder } from '../recorder.ts'
import type { Store } from '../store/store.ts'
import type { SessionRecord } from './record.ts'

export interface TranscriptPathOptions {
  store: Store
  recorder: Recorder
  log: Log
  /** Where the agent of a session keeps a conversation. Rejects with SESSION_NOT_FOUND. */
  locate(session: SessionRecord, agentSessionId: string): Promise<string>
}

/** Finds the transcript of a session whose agent only names its conversation: a stream reports no paths. */
export class TranscriptPath {
  readonly #options: TranscriptPathOptions
  /** By session: after which turn it was looked for last. */
  readonly #looked = new Map<string, string>()

  constructor(options: TranscriptPathOptions) {
    this.#options = options
  }

  /** An agent has written its transcript by the end of its turn. */
  consider(session: SessionRecord): void {
    const { id, launch, isLive, metadata, evidence, current } = session
    const { agentSessionId, transcriptPath } = metadata
    if (agentSessionId === undefined || transcriptPath !== undefined) return
    if (isLive && judge(evidence).state !== 'idle') return
    const turn = `${launch} ${current.turns} ${isLive}`
    if (this.#looked.get(id) === turn) return
    this.#looked.set(id, turn)
    void this.#find(session, agentSessionId)
  }

  async #find(known: SessionRecord, agentSessionId: string): Promise<void> {
    const { store, recorder, log, locate } = this.#options
    const { id, agent } = known
    try {
      const transcriptPath = await locate(known, agentSessionId)
      const session = store.sessions.get(id)
      if (session?.metadata.agentSessionId !== agentSessionId) return
      this.#looked.delete(id)
      recorder.commit((writer) => writer.session({ ...session, metadata: { ...session.metadata, transcriptPath } }))
    } catch (error) {
      if (isAgentMuxError(error)) log.debug({ session: id, agent, why: error.message }, 'no transcript')
      else log.warn({ session: id, err: error }, 'looking for a transcript')
    }
  }
}
