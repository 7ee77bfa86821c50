import type { HiddenOptions, KnownSecrets } from '../../contract/launch.ts'
import { REDACTED, redact } from '../../core/redact.ts'
import { patternOf, secretForms } from '../../core/secret-values.ts'

/** What a launch needs and no disk may see. */
export interface Confidential extends KnownSecrets {
  /** What of the options of the newest launch is not whole on disk. */
  hidden?: HiddenOptions
}

/** The confidential of all sessions that this daemon was told it of. In memory alone. */
export class Confidences {
  readonly #bySession = new Map<string, { confidential: Confidential; values: RegExp | null }>()
  readonly #ownValues: RegExp | null

  /** With the daemon's own environment: it stands in for what an earlier daemon was told. */
  constructor(env: NodeJS.ProcessEnv) {
    this.#ownValues = patternOf(secretForms({}, env))
  }

  get(sessionId: string): Confidential | null {
    return this.#bySession.get(sessionId)?.confidential ?? null
  }

  set(sessionId: string, confidential: Confidential): void {
    const values = patternOf(secretForms(confidential.secrets, confidential.env))
    this.#bySession.set(sessionId, { confidential, values })
  }

  forget(sessionId: string): void {
    this.#bySession.delete(sessionId)
  }

  /** A text that people, hooks or transcripts give a session: without its secrets, and what else looks like one. */
  redact(sessionId: string, text: string): string {
    const values = this.#bySession.has(sessionId) ? this.#bySession.get(sessionId)?.values : this.#ownValues
    return redact(values ? text.replace(values, REDACTED) : text)
  }
}
