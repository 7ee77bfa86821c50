import type { BlobReference } from '../contract/launch.ts'
import { isRecord } from '../core/json.ts'

/** Longer texts go to a file of their own. */
const MAX_TEXT_CHARACTERS = 8 * 1024
const PREVIEW_CHARACTERS = 1024

export interface Extracted {
  /** The value with previews in place of long texts. */
  value: unknown
  blobs: BlobReference[]
  contents: { file: string; content: string }[]
}

/** Takes long texts out of a value. The names of the files follow from `n`, so that doing it again does no harm. */
export function extractBlobs(value: unknown, n: number): Extracted {
  const blobs: BlobReference[] = []
  const contents: Extracted['contents'] = []
  const visit = (part: unknown, path: (string | number)[]): unknown => {
    if (Array.isArray(part)) return part.map((item, index) => visit(item, [...path, index]))
    if (isRecord(part)) {
      return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, visit(item, [...path, key])]))
    }
    if (typeof part !== 'string' || part.length <= MAX_TEXT_CHARACTERS) return part
    const file = `${n}-${blobs.length + 1}.txt`
    blobs.push({ path, file, bytes: Buffer.byteLength(part) })
    contents.push({ file, content: part })
    return part.slice(0, PREVIEW_CHARACTERS)
  }
  return { value: visit(value, []), blobs, contents }
}
