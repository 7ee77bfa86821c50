import { type FSWatcher, watch } from 'node:fs'

/** Each costs the system a little. Nobody has so many conversations at work at once. */
const MOST = 32

/** Reports changes in several directories at once. What cannot be watched is left out. */
export class DirectoryWatch {
  readonly #listener: () => void
  readonly #watchers = new Map<string, FSWatcher | null>()

  constructor(listener: () => void) {
    this.#listener = listener
  }

  add(directory: string): void {
    if (this.#watchers.has(directory) || this.#watchers.size >= MOST) return
    this.#watchers.set(directory, this.#open(directory))
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher?.close()
  }

  #open(directory: string): FSWatcher | null {
    try {
      const watcher = watch(directory, { persistent: false }, () => this.#listener())
      // It was deleted, or the system has no more watches to give.
      watcher.on('error', () => watcher.close())
      return watcher
    } catch {
      return null
    }
  }
}
