import { readFile } from 'node:fs/promises'
import { type JsonRecord, parseRecord } from '../core/json.ts'

/** The object in a JSON file; undefined when there is no file, or it holds something else. */
export async function readJson(path: string): Promise<JsonRecord | undefined> {
  try {
    return parseRecord(await readFile(path, 'utf8')) ?? undefined
  } catch {
    return undefined
  }
}
