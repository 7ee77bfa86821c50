import { join } from 'node:path'
import type { OptionName } from '../contract/options.ts'
import type { JsonRecord } from '../core/json.ts'
import { type Locations, parseSettings, readConfig, readSettings, settingsAsOptions } from './defaults.ts'
import { narrowed } from './narrowing.ts'
import { isOwnDirectory, trusts } from './project.ts'
import { projectFiles, projectHash, readProjectFile } from './project-files.ts'
import type { TrustedProject, TrustStore } from './trust-store.ts'

/** One value of a project that allows more than the user does. */
export interface Widening {
  /** Relative to the project's directory. */
  file: string
  option: OptionName
  /** What holds without the project; undefined: nothing is set. */
  now: unknown
  wanted: unknown
}

export interface TrustStatus {
  /** The project's directory of settings. */
  directory: string
  /** Of all that the project says; trust is for just this. */
  hash: string
  trusted: boolean
  widens: Widening[]
  /** Profiles of the user's that would be replaced by one of the project. */
  hides: string[]
}

/** What a project asks for, and whether the user allows it. */
export class ProjectTrust {
  readonly #locate: (cwd: string) => Locations
  readonly #store: TrustStore

  constructor(locate: (cwd: string) => Locations, store: TrustStore) {
    this.#locate = locate
    this.#store = store
  }

  status(cwd: string = process.cwd()): TrustStatus {
    const locations = this.#locate(cwd)
    const { configDir, projectDir } = locations
    const user = settingsAsOptions(readConfig(configDir))
    const isOwn = isOwnDirectory(locations)
    const files = isOwn ? [] : projectFiles(projectDir)
    return {
      directory: projectDir,
      hash: projectHash(projectDir),
      trusted: trusts(this.#store, locations),
      widens: files.flatMap((file) => wideningsOf(projectDir, file, user)),
      hides: files.filter((file) => file !== 'config.json' && isThere(join(configDir, file))).map(profileName),
    }
  }

  /** Trusts the content that `status` has shown, known by its hash. */
  async grant(hash: string, cwd: string = process.cwd()): Promise<void> {
    await this.#store.grant(this.#locate(cwd).projectDir, hash)
  }

  /** False when it was not trusted. */
  async revoke(cwd: string = process.cwd()): Promise<boolean> {
    return this.#store.revoke(this.#locate(cwd).projectDir)
  }

  list(): TrustedProject[] {
    return this.#store.list()
  }
}

function wideningsOf(projectDir: string, file: string, user: JsonRecord): Widening[] {
  const data = parseSettings(join(projectDir, file), readProjectFile(projectDir, file) ?? '{}')
  const given = file === 'config.json' ? settingsAsOptions(data) : data
  return narrowed(given, user).refused.map((option) => ({ file, option, now: user[option], wanted: given[option] }))
}

function isThere(path: string): boolean {
  return Object.keys(readSettings(path)).length > 0
}

function profileName(file: string): string {
  return file.replace(/^profiles\/|\.json$/g, '')
}
