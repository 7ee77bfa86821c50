import { type FSWatcher, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { LaunchSpec } from '../contract/launch.ts'
import { scrubFile } from '../hooks/scrub.ts'
import { WHOLE } from '../hooks/spool-entry.ts'
import type { Find } from '../secrets/spans.ts'

const LOOK_MS = 1000

/**
 * Masks the secrets in the hooks of one launch as soon as they are in the spool. The script that puts them there has no
 * time for it, and the daemon that takes them may not be alive for days. The runner is, for as long as its agent.
 */
export class SpoolScrub {
  readonly #directory: string
  readonly #prefix: string
  readonly #find: Find
  readonly #timer: NodeJS.Timeout
  #watcher: FSWatcher | null = null

  constructor(launchDir: string, { sessionId, launch }: LaunchSpec, find: Find) {
    this.#directory = join(launchDir, '..', '..', 'spool')
    this.#prefix = `${sessionId}.${launch}.`
    this.#find = find
    try {
      this.#watcher = watch(this.#directory, (_, name) => name && this.#take(name))
      this.#watcher.on('error', () => {}).unref()
    } catch {
      // There is none yet: it is looked for.
    }
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref()
  }

  close(): void {
    clearInterval(this.#timer)
    this.#watcher?.close()
    this.#look()
  }

  #look(): void {
    let names: string[] = []
    try {
      names = readdirSync(this.#directory)
    } catch {
      // No hook was delivered yet.
    }
    for (const name of names) this.#take(name)
  }

  #take(name: string): void {
    if (!name.startsWith(this.#prefix) || !name.endsWith(WHOLE)) return
    scrubFile(join(this.#directory, name), this.#find)
  }
}
