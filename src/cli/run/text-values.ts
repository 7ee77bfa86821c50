import { readFileSync } from 'node:fs'
import { isRecord, type JsonRecord } from '../../core/json.ts'
import { usageError } from '../command.ts'

export function readText(flag: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw usageError(`${flag}: cannot read ${path}: ${error instanceof Error ? error.message : error}`)
  }
}

export function jsonObject(flag: string, text: string): JsonRecord {
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch {
    // the same fault as any other text that is not an object
  }
  throw usageError(`${flag} must be a JSON object`)
}
