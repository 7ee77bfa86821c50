import { type FSWatcher, watch } from 'node:fs'

/** Tells when a file may have changed: at once where the system says so, and after a while in any case. */
export class FileWatch {
  readonly #pollMs: number
  readonly #watcher: FSWatcher | null
  #wake: (() => void) | null = null
  #changed = false

  constructor(path: string, pollMs: number) {
    this.#pollMs = pollMs
    this.#watcher = startWatching(path, () => {
      this.#changed = true
      this.#wake?.()
    })
  }

  /** Resolves at the next sign of a change, or one since the last wait; when time is up; or when `signal` aborts. */
  async wait(signal?: AbortSignal): Promise<void> {
    if (!this.#changed && !signal?.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.#pollMs)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
        signal?.addEventListener('abort', this.#wake, { once: true })
      })
    }
    if (this.#wake) signal?.removeEventListener('abort', this.#wake)
    this.#wake = null
    this.#changed = false
  }

  close(): void {
    this.#watcher?.close()
  }
}

/** Null where files cannot be watched: no more handles, or a file system that does not tell. */
function startWatching(path: string, onChange: () => void): FSWatcher | null {
  try {
    return watch(path, { persistent: false }, onChange).on('error', () => {}) // looking after a while is enough
  } catch {
    return null
  }
}
