import { isAgentMuxError } from '../../contract/errors.ts'
import type { Session } from '../../contract/sessions.ts'
import { judge } from '../../core/evidence.ts'
import type { Log } from '../log.ts'
import type { Recorder } from '../recorder.ts'
import type { Store } from '../store/store.ts'
import type { SessionRecord } from './record.ts'

export interface OwnTitleOptions {
  store: Store
  recorder: Recorder
  log: Log
  /** The conversation as its agent keeps it. Rejects with SESSION_NOT_FOUND. */
  read(session: SessionRecord, agentSessionId: string): Promise<Pick<Session, 'summary' | 'summaryIsFallback'>>
}

/** An agent that makes titles does so early. Later on a transcript is too long to be read for nothing. */
const MAX_TURNS = 5

/** Takes over the title that an agent has given to its conversation. It is in the agent's own store only. */
export class OwnTitle {
  readonly #options: OwnTitleOptions
  /** By session: after which turn it was looked for last. */
  readonly #looked = new Map<string, string>()

  constructor(options: OwnTitleOptions) {
    this.#options = options
  }

  consider(session: SessionRecord): void {
    const { id, launch, isLive, metadata, evidence, current } = session
    const { agentSessionId, ownTitle } = metadata
    if (agentSessionId === undefined || ownTitle !== undefined || current.turns > MAX_TURNS) return
    if (isLive && judge(evidence).state !== 'idle') return
    const turn = `${launch} ${current.turns} ${isLive}`
    if (this.#looked.get(id) === turn) return
    this.#looked.set(id, turn)
    void this.#look(session, agentSessionId)
  }

  async #look(known: SessionRecord, agentSessionId: string): Promise<void> {
    const { store, recorder, log, read } = this.#options
    const { id, agent } = known
    try {
      const { summary = '', summaryIsFallback = true } = await read(known, agentSessionId)
      const session = store.sessions.get(id)
      if (summaryIsFallback || summary === '' || session?.metadata.agentSessionId !== agentSessionId) return
      const ownTitle = recorder.redact(id, summary)
      recorder.commit((writer) => writer.session({ ...session, metadata: { ...session.metadata, ownTitle } }))
    } catch (error) {
      if (isAgentMuxError(error)) log.debug({ session: id, agent, why: error.message }, 'no title')
      else log.warn({ session: id, err: error }, 'looking for a title')
    }
  }
}
