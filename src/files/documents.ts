import { readFile, stat } from 'node:fs/promises'
import type { AgentConfigSchema } from '../contract/config.ts'
import { isRecord, type JsonRecord } from '../core/json.ts'
import { nullWhenMissing } from './atomic-write.ts'
import { asConfigError, configError } from './config-error.ts'
import { deleteJsonValue, parseJsonc, setJsonValue } from './edit-json.ts'
import { appendJsonItem, removeJsonItems } from './edit-json-list.ts'
import { deleteTomlValue, parseToml, setTomlValue } from './edit-toml.ts'
import { appendTomlTable, removeTomlTables } from './edit-toml-list.ts'
import { deleteYamlValue, parseYaml, setYamlValue } from './edit-yaml.ts'
import { appendYamlItem, removeYamlItems } from './edit-yaml-list.ts'
import { parseJson5 } from './json5.ts'
import type { KeyPath } from './values.ts'

/** One config format: how to read it, and how to change it without losing a comment. */
export interface DocumentFormat {
  parse(text: string, filePath: string): Promise<unknown>
  set(text: string, keyPath: KeyPath, value: unknown, filePath: string): Promise<string>
  remove(text: string, keyPath: KeyPath, filePath: string): Promise<string>
  /** Adds to the end of a list, which is made when missing. */
  append(text: string, keyPath: KeyPath, item: unknown, filePath: string): Promise<string>
  removeItems(text: string, keyPath: KeyPath, isOurs: (item: unknown) => boolean, filePath: string): Promise<string>
}

const JSON_FORMAT: DocumentFormat = {
  parse: parseJsonc,
  set: setJsonValue,
  remove: deleteJsonValue,
  append: appendJsonItem,
  removeItems: removeJsonItems,
}

const FORMATS: Record<AgentConfigSchema['configFormat'], DocumentFormat> = {
  json: JSON_FORMAT,
  // An edit keeps every byte, and so far only of JSON with comments: what goes beyond it is refused there.
  json5: { ...JSON_FORMAT, parse: parseJson5 },
  toml: {
    parse: parseToml,
    set: setTomlValue,
    remove: deleteTomlValue,
    append: appendTomlTable,
    removeItems: removeTomlTables,
  },
  yaml: {
    parse: parseYaml,
    set: setYamlValue,
    remove: deleteYamlValue,
    append: appendYamlItem,
    removeItems: removeYamlItems,
  },
}

export function documentFormat(name: AgentConfigSchema['configFormat']): DocumentFormat {
  const format = FORMATS[name]
  const parse = async (text: string, filePath: string) => {
    const value = await format.parse(text, filePath).catch((error: unknown) => {
      if (error instanceof RangeError) throw tooDeep(filePath)
      throw error
    })
    if (isDeeperThan(MAX_LEVELS, value)) throw tooDeep(filePath)
    return value
  }
  return { ...format, parse }
}

/** Reading, comparing and editing a file goes down a level for each level of it, and the stack has an end. */
const MAX_LEVELS = 500

/** True as well for what holds itself, as an alias of YAML can. */
function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(levels - 1, item))
}

function tooDeep(filePath: string): Error {
  return configError(`${filePath} is nested too deeply to be read`, `Make ${filePath} flatter; it was left as it is.`)
}

/** Null when there is no such file. Bytes that are not UTF-8 are refused: writing them back would change them. */
export async function readText(filePath: string): Promise<string | null> {
  const found = await stat(filePath).catch(nullWhenMissing).catch(asConfigError(filePath))
  if (found === null) return null
  // A pipe would never end, and a device would be replaced by a file.
  if (!found.isFile())
    throw configError(`${filePath} is not a regular file`, `Look at ${filePath}; it was left as it is.`)
  const bytes = await readFile(filePath).catch(asConfigError(filePath))
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw configError(`${filePath} is not UTF-8 text`, `Save ${filePath} as UTF-8; it was left as it is.`)
  }
}

/** The settings in `text`; an empty file has none. */
export async function parseSettings(format: DocumentFormat, text: string, filePath: string): Promise<JsonRecord> {
  const value = (await format.parse(text, filePath)) ?? {}
  if (isRecord(value)) return value
  throw configError(`${filePath} does not hold a table of settings`, `Correct ${filePath} by hand.`)
}
