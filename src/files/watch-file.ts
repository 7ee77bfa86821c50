import { type FSWatcher, watch } from 'node:fs'

/** Reports when a file may have changed: at once where the system says so, and after a while in any case. */
export class FileWatch {
  readonly #path: string
  readonly #pollMs: number
  #watcher: FSWatcher | null
  #wake: (() => void) | null = null
  #changed = false

  constructor(path: string, pollMs: number) {
    this.#path = path
    this.#pollMs = pollMs
    this.#watcher = this.#start()
  }

  /** Null where it cannot be watched: no more handles, no such file now, or a file system that does not say. */
  #start(): FSWatcher | null {
    try {
      const watcher = watch(this.#path, { persistent: false }, (event) => {
        // What is watched is the file, not its name: when that has another file, the next wait has to begin again.
        if (event === 'rename') this.#stop()
        this.#changed = true
        this.#wake?.()
      })
      return watcher.on('error', () => this.#stop()) // looking after a while is enough
    } catch {
      return null
    }
  }

  #stop(): void {
    this.#watcher?.close()
    this.#watcher = null
  }

  /** Resolves at the next sign of a change, or one since the last wait; when time is up; or when `signal` aborts. */
  async wait(signal?: AbortSignal): Promise<void> {
    this.#watcher ??= this.#start()
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
    this.#stop()
  }
}
