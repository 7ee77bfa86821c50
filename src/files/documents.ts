import { readFile } from 'node:fs/promises'
import type { AgentConfigSchema } from '../contract/config.ts'
import { isRecord, type JsonRecord } from '../core/json.ts'
import { nullWhenMissing } from './atomic-write.ts'
import { configError } from './config-error.ts'
import { deleteJsonValue, parseJsonc, setJsonValue } from './edit-json.ts'
import { deleteTomlValue, parseToml, setTomlValue } from './edit-toml.ts'
import { deleteYamlValue, parseYaml, setYamlValue } from './edit-yaml.ts'
import type { KeyPath } from './values.ts'

/** One config format: how to read it, and how to change it without losing a comment. */
export interface DocumentFormat {
  parse(text: string, filePath: string): Promise<unknown>
  set(text: string, keyPath: KeyPath, value: unknown, filePath: string): Promise<string>
  remove(text: string, keyPath: KeyPath, filePath: string): Promise<string>
}

const FORMATS: Record<AgentConfigSchema['configFormat'], DocumentFormat> = {
  json: { parse: parseJsonc, set: setJsonValue, remove: deleteJsonValue },
  toml: { parse: parseToml, set: setTomlValue, remove: deleteTomlValue },
  yaml: { parse: parseYaml, set: setYamlValue, remove: deleteYamlValue },
}

export function documentFormat(name: AgentConfigSchema['configFormat']): DocumentFormat {
  return FORMATS[name]
}

/** Null when there is no such file. Bytes that are not UTF-8 are refused: writing them back would change them. */
export async function readText(filePath: string): Promise<string | null> {
  const bytes = await readFile(filePath).catch(nullWhenMissing)
  if (bytes === null) return null
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
