import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { AgentMuxError } from '../contract/errors.ts'
import { asRecord, asString, isRecord } from '../core/json.ts'
import { readSettings } from './defaults.ts'
import { projectHash } from './project-files.ts'
import { mainWorktreeOf } from './worktree-of.ts'

export interface TrustedProject {
  /** The project's directory of settings, as the system names it. */
  directory: string
  hash: string
  trustedAt: string
}

/**
 * Which projects the user trusts, in `trust.json` of his own settings: never in the project itself. Trust is for the
 * content that was seen; any change of it ends the trust.
 */
export class TrustStore {
  readonly #configDir: () => string

  constructor(configDir: () => string) {
    this.#configDir = configDir
  }

  isTrusted(projectDir: string): boolean {
    const known = this.list()
    if (known.length === 0) return false
    const hash = projectHash(projectDir)
    const places = placesOf(projectDir)
    return known.some((one) => one.hash === hash && places.includes(one.directory))
  }

  list(): TrustedProject[] {
    const projects = asRecord(readSettings(this.#path).projects) ?? {}
    return Object.entries(projects).flatMap(([directory, value]) => {
      const { hash, trustedAt } = isRecord(value) ? value : {}
      return typeof hash === 'string' ? [{ directory, hash, trustedAt: asString(trustedAt) ?? '' }] : []
    })
  }

  /** Trusts what was seen: rejects when the content is not of this hash any more. */
  async grant(projectDir: string, hash: string): Promise<void> {
    if (projectHash(projectDir) !== hash) {
      throw new AgentMuxError('CONFIG_ERROR', `${projectDir} has changed while you were looking at it`, {
        hint: 'Look again: amux trust',
      })
    }
    const entry = { directory: realpathSync(projectDir), hash, trustedAt: new Date().toISOString() }
    await this.#change((known) => [...known.filter(({ directory }) => directory !== entry.directory), entry])
  }

  /** False when it was not trusted. */
  async revoke(projectDir: string): Promise<boolean> {
    const places = placesOf(projectDir)
    let found = false
    await this.#change((known) => {
      const rest = known.filter(({ directory }) => !places.includes(directory))
      found = rest.length < known.length
      return rest
    })
    return found
  }

  async #change(change: (known: TrustedProject[]) => TrustedProject[]): Promise<void> {
    const { mkdir } = await import('node:fs/promises')
    const { atomicWrite } = await import('../files/atomic-write.ts')
    const { withFileLock } = await import('../files/lock.ts')
    await mkdir(this.#configDir(), { recursive: true, mode: 0o700 })
    await withFileLock(this.#path, async () => {
      const projects = Object.fromEntries(change(this.list()).map(({ directory, ...one }) => [directory, one]))
      await atomicWrite(this.#path, `${JSON.stringify({ format: 1, projects }, null, 2)}\n`)
    })
  }

  get #path(): string {
    return join(this.#configDir(), 'trust.json')
  }
}

/** The directory itself and, in a git worktree, the same one of the main worktree: it is the same repository. */
function placesOf(projectDir: string): string[] {
  const real = realpathOf(projectDir)
  const main = mainWorktreeOf(real, readLink, realpathOf)
  return main === null ? [real] : [real, realpathOf(main)]
}

/** One of git's small files; a pipe would never end. */
function readLink(path: string): string {
  if (!lstatSync(path).isFile()) throw new Error(`${path} is not a regular file`)
  return readFileSync(path, 'utf8')
}

function realpathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path // gone since, or never there
  }
}
