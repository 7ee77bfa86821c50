import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AgentMuxError } from '../contract/errors.ts'
import type { OptionName } from '../contract/options.ts'
import { quoteWord } from '../core/command-line.ts'
import type { JsonRecord } from '../core/json.ts'
import { checkedSettings, type Locations, parseSettings, settingsAsOptions } from './defaults.ts'
import { narrowed } from './narrowing.ts'
import { readProjectFile } from './project-files.ts'
import type { TrustStore } from './trust-store.ts'

/** What a project gives to a run, and what the user should hear about it. */
export interface ProjectOptions {
  options: JsonRecord
  notices: string[]
}

const NOTHING: ProjectOptions = { options: {}, notices: [] }

/** The user's own directory is not a stranger, however it was found. */
export function isOwnDirectory({ configDir, projectDir }: Locations): boolean {
  try {
    return realpathSync(configDir) === realpathSync(projectDir)
  } catch {
    return configDir === projectDir
  }
}

export function trusts(trust: TrustStore, locations: Locations): boolean {
  return isOwnDirectory(locations) || trust.isTrusted(locations.projectDir)
}

/** The settings of a project as options. What allows more than the user's own is left out, unless the user trusts it. */
export function projectOptions(locations: Locations, user: JsonRecord, trust: TrustStore): ProjectOptions {
  const path = join(locations.projectDir, 'config.json')
  const text = readProjectFile(locations.projectDir, 'config.json')
  if (text === null || isOwnDirectory(locations)) return NOTHING
  const settings = checkedSettings(path, parseSettings(path, text))
  const notices = ['agents', 'daemon']
    .filter((name) => settings[name] !== undefined)
    .map((name) => `${path}: "${name}" is ignored: it can only be in your own settings`)
  const given = settingsAsOptions(settings)
  const { kept, refused } = narrowed(given, user)
  if (refused.length === 0 || trusts(trust, locations)) return { options: refused.length === 0 ? kept : given, notices }
  if (refused.includes('agent')) throw commandOfProject(locations)
  return { options: kept, notices: [...notices, ignoredNotice(path, refused, locations)] }
}

/** A profile of a project. It was asked for by its name, so what it cannot have is not left out but refused. */
export function projectProfile(
  name: string,
  data: JsonRecord,
  base: JsonRecord,
  locations: Locations,
  trust: TrustStore,
): JsonRecord {
  const { kept, refused } = narrowed(data, base)
  if (refused.length === 0) return kept
  if (trusts(trust, locations)) return data
  const message = `The profile "${name}" of this project sets ${refused.join(', ')}, which needs your trust`
  throw new AgentMuxError('CONFIG_ERROR', message, { hint: trustHint(locations) })
}

export function ignoredNotice(path: string, refused: readonly OptionName[], locations: Locations): string {
  const what = refused.join(', ')
  return `${path} sets ${what}, which needs your trust, so it is ignored. ${trustHint(locations)}`
}

function trustHint({ projectDir }: Locations): string {
  return `\`amux trust ${quoteWord(dirname(projectDir))}\` shows what it would allow, and asks.`
}

function commandOfProject(locations: Locations): AgentMuxError {
  return new AgentMuxError('CONFIG_ERROR', 'The settings of the project name a command line as the default agent', {
    hint: `Name the agent yourself, or put it into your own settings. ${trustHint(locations)}`,
  })
}
