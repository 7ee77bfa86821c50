import { lstatSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { AgentMuxError } from '../contract/errors.ts'
import { isAt, optionsAt } from '../contract/options.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { isRecord, type JsonRecord } from '../core/json.ts'
import { unknownName } from '../engine/validate-options.ts'
import { homeDirectory } from '../files/data-dir.ts'
import { requireOwnSettings } from '../files/private-directory.ts'

export interface Locations {
  configDir: string
  projectDir: string
}

/** Where our own files are. The project is found by walking up from `cwd`. */
export function findLocations(
  given: { configDir?: string; projectConfigDir?: string },
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Locations {
  const configDir = given.configDir ?? ownDirectory(env.AGENT_MUX_CONFIG_DIR)
  const home = homeDirectory(env)
  return {
    configDir: configDir ?? join(home, '.agent-mux'),
    projectDir: given.projectConfigDir ?? (env.AGENT_MUX_PROJECT_DIR || findProject(cwd, home)),
  }
}

/** Empty is as good as not set. A relative one would be found in every repository that brings such a directory. */
function ownDirectory(path: string | undefined): string | undefined {
  if (!path) return undefined
  if (isAbsolute(path)) return path
  throw new AgentMuxError('CONFIG_ERROR', `AGENT_MUX_CONFIG_DIR is "${path}", which is a relative path`, {
    hint: 'Set it to an absolute path: the settings there count as your own.',
  })
}

function findProject(cwd: string, home: string): string {
  for (let dir = cwd; ; dir = dirname(dir)) {
    // The user's own directory in the home is not a project.
    if (dir !== home && exists(join(dir, '.agent-mux'))) return join(dir, '.agent-mux')
    if (dirname(dir) === dir) return join(cwd, '.agent-mux')
  }
}

function exists(path: string): boolean {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false })
    return found?.isDirectory() === true || found?.isSymbolicLink() === true
  } catch {
    return false // not for us to see, so not our project
  }
}

/** `{}` when there is no such file; a file that does not parse is an error, never a silent default. */
export function readSettings(path: string): JsonRecord {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (isRecord(error) && error.code === 'ENOENT') return {}
    throw new AgentMuxError('CONFIG_ERROR', `Cannot read ${path}`, { cause: error })
  }
  requireOwnSettings(path)
  return parseSettings(path, text)
}

const MAX_DEPTH = 64

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1))
}

export function parseSettings(path: string, text: string): JsonRecord {
  const hint = 'Correct the file or remove it; nothing was changed.'
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : error
    throw new AgentMuxError('CONFIG_ERROR', `${path} is not valid JSON: ${why}`, { hint })
  }
  if (!isRecord(value)) throw new AgentMuxError('CONFIG_ERROR', `${path} must hold a JSON object`)
  if (!isDeeper(value, MAX_DEPTH)) return value
  throw new AgentMuxError('CONFIG_ERROR', `${path} is nested more than ${MAX_DEPTH} levels deep`, { hint })
}

/** What `config.json` can say. A project's file is of the same form. */
const SETTING_NAMES: readonly string[] = ['defaultAgent', 'defaultModel', 'agents', 'daemon', ...optionsAt('settings')]

/** The settings in a directory of ours. A name that we do not know is an error: it was meant to do something. */
export function readConfig(directory: string): JsonRecord {
  const path = join(directory, 'config.json')
  return checkedSettings(path, readSettings(path))
}

export function checkedSettings(path: string, settings: JsonRecord): JsonRecord {
  for (const name of Object.keys(settings)) {
    if (SETTING_NAMES.includes(name)) continue
    const { message } = unknownName(name, undefined, SETTING_NAMES, 'a setting')
    const hint = isAt('profile', name) ? 'It can be in a profile: `amux profiles set`.' : 'Nothing was changed.'
    throw new AgentMuxError('CONFIG_ERROR', `${path}: "${name}" ${message}`, { hint })
  }
  return settings
}

/** Run options over profile over client options over project over user settings. `undefined` defers. */
export function layerOptions(options: RunOptions, layers: readonly JsonRecord[]): RunOptions {
  const merged: JsonRecord = {}
  for (const layer of [{ ...options }, ...layers].reverse()) {
    const { retryPolicy } = merged
    Object.assign(merged, withoutUndefined(layer))
    // The one setting with parts of its own: what a layer leaves out of it comes from the layer below.
    if (isRecord(retryPolicy) && isRecord(layer.retryPolicy)) {
      merged.retryPolicy = { ...retryPolicy, ...withoutUndefined(layer.retryPolicy) }
    }
  }
  return { ...merged, prompt: options.prompt }
}

function withoutUndefined(record: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
}

/** `defaultAgent` and `defaultModel` of a settings file become the run's `agent` and `model`. */
export function settingsAsOptions(settings: JsonRecord): JsonRecord {
  const options: JsonRecord = { agent: settings.defaultAgent, model: settings.defaultModel }
  for (const field of optionsAt('settings')) options[field] = settings[field]
  return options
}
