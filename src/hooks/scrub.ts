import { closeSync, fstatSync, futimesSync, openSync, readFileSync, writeSync } from 'node:fs'
import { maskOf } from '../secrets/mask.ts'
import { type Find, replaceSpans } from '../secrets/spans.ts'

/**
 * Masks the secrets in a waiting hook in place: nothing changes its position or its length, so that somebody who
 * reads it meanwhile reads a whole payload. A file that was taken meanwhile is not made again.
 */
export function scrubFile(path: string, find: Find): void {
  let file: number
  try {
    file = openSync(path, 'r+')
  } catch {
    return // taken
  }
  try {
    const text = readFileSync(file, 'utf8')
    const spans = find(text)
    const masked = Buffer.from(replaceSpans(text, spans, maskOf))
    const { size, atimeMs, mtimeMs } = fstatSync(file)
    if (spans.length === 0 || masked.length !== size) return
    // Masks have the form of secrets. Written again, they would wake those who watch this directory forever.
    if (masked.equals(Buffer.from(text))) return
    writeSync(file, masked, 0, masked.length, 0)
    futimesSync(file, atimeMs / 1000, mtimeMs / 1000) // hooks are taken in the order of their times
  } finally {
    closeSync(file)
  }
}
