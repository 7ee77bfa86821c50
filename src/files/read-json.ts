import { readFile } from 'node:fs/promises'
import { asRecord, asRecords, type JsonRecord } from '../core/json.ts'

async function readValue(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** The object in a JSON file; undefined when there is no file, or it holds something else. */
export async function readJson(path: string): Promise<JsonRecord | undefined> {
  return asRecord(await readValue(path))
}

/** The objects of the list in a JSON file; none when there is no file, or it holds something else. */
export async function readJsonList(path: string): Promise<JsonRecord[]> {
  return asRecords(await readValue(path))
}
