import { readdirSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AgentMuxError, type FieldError, ValidationError } from '../contract/errors.ts'
import type { RunOptions } from '../contract/run-options.ts'
import type { JsonRecord } from '../core/json.ts'
import { type Locations, readSettings } from './defaults.ts'

export type ProfileScope = 'project' | 'global'

export interface ProfileEntry {
  name: string
  scope: ProfileScope
  hasGlobalOverride: boolean
  agent?: string
  model?: string
  corrupt?: boolean
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/
/** What belongs to one run and must not be kept in a profile. */
const NOT_IN_PROFILES: readonly (keyof RunOptions)[] = [
  ...(['prompt', 'onInputRequired', 'onApprovalRequest', 'env', 'cwd', 'sessionId', 'forkSessionId'] as const),
  ...([
    'noSession',
    'newSessionId',
    'attachments',
    'runId',
    'projectId',
    'continuedFrom',
    'profile',
    'agentsDoc',
    'signal',
  ] as const),
]

/** Named sets of run options, one JSON file each; a project's profile hides the user's of the same name. */
export class Profiles {
  readonly #locations: () => Locations

  constructor(locations: () => Locations) {
    this.#locations = locations
  }

  list({ scope }: { scope?: ProfileScope } = {}): ProfileEntry[] {
    const global = this.#names('global')
    const project = this.#names('project')
    const entries = [
      ...(scope === 'global' ? [] : project.map((name) => this.#entry(name, 'project', global.includes(name)))),
      ...(scope === 'project' ? [] : global.filter((name) => scope === 'global' || !project.includes(name))).map(
        (name) => this.#entry(name, 'global', false),
      ),
    ]
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  show(name: string): { name: string; data: JsonRecord; scope: ProfileScope } {
    const scope = this.#find(name, ['project', 'global'])
    return { name, scope, data: readSettings(this.#path(name, scope)) }
  }

  /** The options of a profile with others laid over them. */
  apply(name: string, overrides: Partial<RunOptions> = {}): Partial<RunOptions> {
    return { ...this.show(name).data, ...overrides }
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
    const faults: FieldError[] = NOT_IN_PROFILES.filter((field) => data[field] !== undefined).map((field) => ({
      field,
      message: 'belongs to one run and cannot be in a profile',
      received: data[field],
      expected: 'absent',
    }))
    if (faults.length > 0) throw new ValidationError(faults, 'Invalid profile')
    const path = this.#path(name, scope)
    const { atomicWrite } = await import('../files/atomic-write.ts')
    await mkdir(join(path, '..'), { recursive: true })
    await atomicWrite(path, `${JSON.stringify(data, null, 2)}\n`)
  }

  async delete(name: string, { scope }: { scope?: ProfileScope } = {}): Promise<void> {
    await rm(this.#path(name, this.#find(name, scope ? [scope] : ['project', 'global'])))
  }

  /** The first of the scopes that has this profile. */
  #find(name: string, scopes: readonly ProfileScope[]): ProfileScope {
    const found = scopes.find((scope) => this.#names(scope).includes(name))
    if (found) return found
    const known = this.list().map((entry) => entry.name)
    throw new AgentMuxError('PROFILE_NOT_FOUND', `No profile named "${name}"`, {
      hint: known.length > 0 ? `Known profiles: ${known.join(', ')}` : 'No profiles exist yet.',
    })
  }

  #directory(scope: ProfileScope): string {
    const { configDir, projectDir } = this.#locations()
    return join(scope === 'project' ? projectDir : configDir, 'profiles')
  }

  #path(name: string, scope: ProfileScope): string {
    return join(this.#directory(scope), `${name}.json`)
  }

  #names(scope: ProfileScope): string[] {
    try {
      return readdirSync(this.#directory(scope))
        .filter((file) => file.endsWith('.json'))
        .map((file) => file.slice(0, -'.json'.length))
        .filter((name) => NAME.test(name))
    } catch {
      return [] // no such directory: no profiles
    }
  }

  #entry(name: string, scope: ProfileScope, hasGlobalOverride: boolean): ProfileEntry {
    try {
      const { agent, model } = readSettings(this.#path(name, scope))
      const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
      return { name, scope, hasGlobalOverride, agent: text(agent), model: text(model) }
    } catch {
      return { name, scope, hasGlobalOverride, corrupt: true }
    }
  }
}
