import { fingerprint, refuseOtherRequest } from '../store/keys.ts'
import type { Store } from '../store/store.ts'

/**
 * Requests that must not be carried out twice. The first with a key does the work; those that come with the same key,
 * meanwhile or later, gets what came of it.
 */
export class Once {
  readonly #store: Store
  readonly #underWay = new Map<string, { request: string; answer: Promise<string> }>()

  constructor(store: Store) {
    this.#store = store
  }

  /** `work` must `remember` its answer in the transaction that makes it true. */
  async do(
    scope: string,
    key: string | undefined,
    request: unknown,
    work: (remember: (answer: string) => void) => Promise<string>,
  ): Promise<string> {
    if (key === undefined) return work(() => {})
    const { keys } = this.#store
    const known = keys.find(scope, key, request)
    if (known !== null) return known
    const name = JSON.stringify([scope, key])
    const underWay = this.#underWay.get(name)
    if (underWay) {
      refuseOtherRequest(key, underWay.request, request)
      return underWay.answer
    }
    const answer = work((answer) => keys.add(scope, key, request, answer, Date.now()))
    this.#underWay.set(name, { request: fingerprint(request), answer })
    return answer.finally(() => this.#underWay.delete(name))
  }
}
