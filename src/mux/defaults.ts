import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { AgentMuxError } from '../contract/errors.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { isRecord, type JsonRecord } from '../core/json.ts'

/** Settings that the client, the project and the user may give for every run. */
export const DEFAULT_FIELDS = [
  ...([
    'approvalMode',
    'timeout',
    'inactivityTimeout',
    'firstEventTimeout',
    'retryPolicy',
    'stream',
    'debug',
    'eventBufferSize',
  ] as const),
] as const

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
  const home = env.HOME ?? homedir()
  return {
    configDir: given.configDir ?? env.AGENT_MUX_CONFIG_DIR ?? join(home, '.agent-mux'),
    projectDir: given.projectConfigDir ?? env.AGENT_MUX_PROJECT_DIR ?? findProject(cwd, home),
  }
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
    readFileSync(path)
    return true
  } catch (error) {
    return isRecord(error) && error.code === 'EISDIR'
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
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch (error) {
    throw new AgentMuxError(
      'CONFIG_ERROR',
      `${path} is not valid JSON: ${error instanceof Error ? error.message : error}`,
      {
        hint: 'Mend the file or remove it; nothing was changed.',
      },
    )
  }
  throw new AgentMuxError('CONFIG_ERROR', `${path} must hold a JSON object`)
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
  for (const field of DEFAULT_FIELDS) options[field] = settings[field]
  return options
}
