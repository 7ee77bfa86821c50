import { readdirSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AgentMuxError, type FieldError, ValidationError } from '../contract/errors.ts'
import { isAt, isOptionName, optionsAt } from '../contract/options.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { quoteWord } from '../core/command-line.ts'
import type { JsonRecord } from '../core/json.ts'
import { unknownName } from '../engine/validate-options.ts'
import { type Locations, parseSettings, readSettings } from './defaults.ts'
import { isOwnDirectory, type ProjectOptions, projectProfile, trusts } from './project.ts'
import { projectFiles, projectHash, readProjectFile } from './project-files.ts'
import type { TrustStore } from './trust-store.ts'

/** Where a profile is stored: with the user or in the project. */
export type ProfileScope = 'project' | 'global'

/** A profile, where it is stored, and what it sets. */
export interface ProfileEntry {
  name: string
  scope: ProfileScope
  hasGlobalOverride: boolean
  agent?: string
  model?: string
  corrupt?: boolean
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/
/** Named sets of run options, one JSON file each. */
export class Profiles {
  readonly #locations: () => Locations
  readonly #trust: TrustStore

  constructor(locations: () => Locations, trust: TrustStore) {
    this.#locations = locations
    this.#trust = trust
  }

  list({ scope }: { scope?: ProfileScope } = {}): ProfileEntry[] {
    const locations = this.#locations()
    const global = namesIn('global', locations)
    const project = namesIn('project', locations)
    const isTrusted = scope === undefined && trusts(this.#trust, locations)
    const isShown = (name: string, at: ProfileScope) => {
      if (scope !== undefined) return at === scope
      const isInBoth = global.includes(name) && project.includes(name)
      return !isInBoth || (at === 'project') === isTrusted
    }
    const entries = [
      ...project.filter((name) => isShown(name, 'project')).map((name) => ({ name, at: 'project' as const })),
      ...global.filter((name) => isShown(name, 'global')).map((name) => ({ name, at: 'global' as const })),
    ].map(({ name, at }) => this.#entry(name, at, at === 'project' && global.includes(name)))
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  show(name: string): { name: string; data: JsonRecord; scope: ProfileScope } {
    return this.#show(name, this.#locations())
  }

  /** The options of a profile with others laid over them. */
  apply(name: string, overrides: Partial<RunOptions> = {}): Partial<RunOptions> {
    return { ...this.show(name).data, ...overrides }
  }

  /** What a profile gives to a run; `base` is what the run has without it. */
  resolve(name: string, locations: Locations, base: JsonRecord): ProjectOptions {
    const { data, scope } = this.#show(name, locations)
    const faults = profileFaults(data)
    if (faults.length > 0) throw new ValidationError(faults, `Invalid profile "${name}"`)
    if (scope === 'global') return { options: data, notices: this.#hidden(name, locations) }
    return { options: projectProfile(name, data, base, locations, this.#trust), notices: [] }
  }

  async set(
    name: string,
    data: Partial<RunOptions>,
    { scope = 'global' }: { scope?: ProfileScope } = {},
  ): Promise<void> {
    if (!NAME.test(name)) {
      const expected = '1 to 64 letters, digits, _ or -'
      throw new ValidationError([{ field: 'name', message: `must be ${expected}`, received: name, expected }])
    }
    const faults = profileFaults({ ...data })
    if (faults.length > 0) throw new ValidationError(faults, 'Invalid profile')
    const locations = this.#locations()
    const path = pathOf(name, scope, locations)
    const { atomicWrite } = await import('../files/atomic-write.ts')
    const keepsTrust = scope === 'project' && this.#isOfTheUser(locations)
    await mkdir(join(path, '..'), { recursive: true, mode: scope === 'project' ? 0o755 : 0o700 })
    await atomicWrite(path, `${JSON.stringify(data, null, 2)}\n`)
    if (keepsTrust) await this.#trust.grant(locations.projectDir, projectHash(locations.projectDir))
  }

  /** Changes some fields of a profile, or makes it. Returns all of it. */
  async update(
    name: string,
    changes: Partial<RunOptions>,
    { scope = 'global', unset = [] }: { scope?: ProfileScope; unset?: readonly string[] } = {},
  ): Promise<JsonRecord> {
    const locations = this.#locations()
    const before = namesIn(scope, locations).includes(name) ? readProfile(name, scope, locations) : {}
    const absent = unset.filter((field) => !Object.hasOwn(before, field))
    if (absent.length > 0) {
      const has = Object.keys(before).join(', ') || 'nothing'
      throw new AgentMuxError('VALIDATION_ERROR', `The profile "${name}" has no ${absent.join(', ')}`, {
        hint: `It has: ${has}`,
      })
    }
    const kept = Object.entries(before).filter(([field]) => !unset.includes(field))
    const data: JsonRecord = { ...Object.fromEntries(kept), ...changes }
    await this.set(name, data, { scope })
    return data
  }

  async delete(name: string, { scope }: { scope?: ProfileScope } = {}): Promise<void> {
    const locations = this.#locations()
    const found = scope ? this.#find(name, [scope], locations) : this.#show(name, locations).scope
    const keepsTrust = found === 'project' && this.#isOfTheUser(locations)
    await rm(pathOf(name, found, locations))
    if (keepsTrust) await this.#trust.grant(locations.projectDir, projectHash(locations.projectDir))
  }

  /** All of it was made through us, or seen: then what the user changes here stays trusted. */
  #isOfTheUser(locations: Locations): boolean {
    if (isOwnDirectory(locations)) return false
    return projectFiles(locations.projectDir).length === 0 || this.#trust.isTrusted(locations.projectDir)
  }

  /** A project's profile hides the user's of the same name once the user trusts the project. */
  #show(name: string, locations: Locations): { name: string; data: JsonRecord; scope: ProfileScope } {
    const isInBoth = SCOPES.every((scope) => namesIn(scope, locations).includes(name))
    const scopes = isInBoth && !trusts(this.#trust, locations) ? (['global'] as const) : SCOPES
    const scope = this.#find(name, scopes, locations)
    return { name, scope, data: readProfile(name, scope, locations) }
  }

  #hidden(name: string, locations: Locations): string[] {
    if (isOwnDirectory(locations) || !namesIn('project', locations).includes(name)) return []
    const directory = quoteWord(dirname(locations.projectDir))
    return [
      `The project has a profile "${name}" too; yours is used. \`amux trust ${directory}\` shows what the other would allow.`,
    ]
  }

  /** The first of the scopes that has this profile. */
  #find(name: string, scopes: readonly ProfileScope[], locations: Locations): ProfileScope {
    const found = scopes.find((scope) => namesIn(scope, locations).includes(name))
    if (found) return found
    const known = this.list().map((entry) => entry.name)
    throw new AgentMuxError('PROFILE_NOT_FOUND', `No profile named "${name}"`, {
      hint: known.length > 0 ? `Known profiles: ${known.join(', ')}` : 'No profiles exist yet.',
    })
  }

  #entry(name: string, scope: ProfileScope, hasGlobalOverride: boolean): ProfileEntry {
    try {
      const { agent, model } = readProfile(name, scope, this.#locations())
      const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
      return { name, scope, hasGlobalOverride, agent: text(agent), model: text(model) }
    } catch {
      return { name, scope, hasGlobalOverride, corrupt: true }
    }
  }
}

const SCOPES: readonly ProfileScope[] = ['project', 'global']

function directoryOf(scope: ProfileScope, { configDir, projectDir }: Locations): string {
  return scope === 'project' ? projectDir : configDir
}

function pathOf(name: string, scope: ProfileScope, locations: Locations): string {
  return join(directoryOf(scope, locations), 'profiles', `${name}.json`)
}

function readProfile(name: string, scope: ProfileScope, locations: Locations): JsonRecord {
  const path = pathOf(name, scope, locations)
  if (scope === 'global' || isOwnDirectory(locations)) return readSettings(path)
  return parseSettings(path, readProjectFile(locations.projectDir, `profiles/${name}.json`) ?? '{}')
}

function namesIn(scope: ProfileScope, locations: Locations): string[] {
  try {
    return readdirSync(join(directoryOf(scope, locations), 'profiles'))
      .filter((file) => file.endsWith('.json'))
      .map((file) => file.slice(0, -'.json'.length))
      .filter((name) => NAME.test(name))
  } catch {
    return [] // no such directory: no profiles
  }
}

/** What cannot be in a profile: names that are not options, and options that belong to one run. */
function profileFaults(data: JsonRecord): FieldError[] {
  return Object.entries(data).flatMap(([field, received]): FieldError[] => {
    if (received === undefined || isAt('profile', field)) return []
    if (!isOptionName(field)) return [unknownName(field, received, optionsAt('profile'), 'a run option')]
    return [{ field, message: 'belongs to one run and cannot be in a profile', received, expected: 'absent' }]
  })
}
