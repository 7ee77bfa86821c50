import type { HiddenOptions, KnownSecrets } from '../contract/launch.ts'
import { createFind } from './find.ts'
import { knownValues } from './known-values.ts'
import { REDACTED, type Redact, redact } from './redact.ts'
import { replaceSpans } from './spans.ts'

/** What a launch needs and no disk may see. */
export interface Confidential extends KnownSecrets {
  /** What of the options of the newest launch is not whole on disk. */
  hidden?: HiddenOptions
}

/** The confidential values of all sessions, as far as this daemon was given them. In memory only. */
export class Confidences {
  readonly #bySession = new Map<string, { confidential: Confidential; withoutValues: Redact }>()
  readonly #withoutOwn: Redact

  /** With the daemon's own environment: it replaces what an earlier daemon was given. */
  constructor(env: NodeJS.ProcessEnv) {
    this.#withoutOwn = withoutValues(knownValues({}, env))
  }

  get(sessionId: string): Confidential | null {
    return this.#bySession.get(sessionId)?.confidential ?? null
  }

  set(sessionId: string, confidential: Confidential): void {
    const values = knownValues(confidential.secrets, confidential.env)
    this.#bySession.set(sessionId, { confidential, withoutValues: withoutValues(values) })
  }

  forget(sessionId: string): void {
    this.#bySession.delete(sessionId)
  }

  /** A text that people, hooks or transcripts give a session: without its secrets, and what else looks like one. */
  redact(sessionId: string, text: string): string {
    const without = this.#bySession.get(sessionId)?.withoutValues ?? this.#withoutOwn
    return redact(without(text))
  }
}

function withoutValues(values: readonly string[]): Redact {
  const find = createFind(values)
  return (text) => replaceSpans(text, find(text), () => REDACTED)
}
