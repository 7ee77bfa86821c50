import { AgentMuxError } from '../../contract/errors.ts'

/** Restores that are being prepared, by session: one at a time, and a kill in the meantime calls it off. */
export class Restoring {
  readonly #underWay = new Map<string, { isCalledOff: boolean }>()

  /** `work` calls `mustGoOn` in the transaction that queues the launch: it throws when the restore was called off. */
  async do<T>(id: string, work: (mustGoOn: () => void) => Promise<T>): Promise<T> {
    if (this.#underWay.has(id)) throw new AgentMuxError('INVALID_STATE_TRANSITION', 'It is being restored already')
    const restore = { isCalledOff: false }
    this.#underWay.set(id, restore)
    const mustGoOn = () => {
      if (!restore.isCalledOff) return
      throw new AgentMuxError('INVALID_STATE_TRANSITION', 'It was killed while it was being restored')
    }
    return work(mustGoOn).finally(() => this.#underWay.delete(id))
  }

  callOff(id: string): void {
    const restore = this.#underWay.get(id)
    if (restore) restore.isCalledOff = true
  }
}
