import type { ControlRequest, ControlResult } from '../contract/launch.ts'
import type { NativeLog } from './native-log.ts'

const MAX_KEYS = 10_000

/** Does a command with a key once. A second request with the key gets the same answer, also while it is being done. */
export class OnceByKey {
  readonly #log: NativeLog | null
  readonly #answers = new Map<string, Promise<ControlResult>>()

  constructor(log: NativeLog | null) {
    this.#log = log
  }

  async perform({ key, command }: ControlRequest, action: () => Promise<ControlResult>): Promise<ControlResult> {
    if (key === undefined) return action()
    const known = this.#answers.get(key)
    if (known) return known
    this.#log?.control(key, command)
    const answer = action()
    this.#answers.set(key, answer)
    this.#forget()
    answer.then(
      () => this.#log?.note({ kind: 'answer', data: { key, answer: { ok: true } } }),
      (error) => this.#log?.note({ kind: 'answer', data: { key, answer: { ok: false, error: String(error) } } }),
    )
    return answer
  }

  #forget(): void {
    if (this.#answers.size <= MAX_KEYS) return
    const oldest = this.#answers.keys().next()
    if (!oldest.done) this.#answers.delete(oldest.value)
  }
}
