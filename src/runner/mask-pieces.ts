import { closeSync, openSync, writeSync } from 'node:fs'
import type { SecretPiece } from '../secrets/delta-guard.ts'
import { AppendFile } from './append-file.ts'

/**
 * Puts masks in place of the pieces of secrets in a native log. Only when the last piece has come they are known to be
 * one, and by then the others are on disk. Nothing changes its place or its length.
 */
export function maskPieces(path: string, pieces: readonly SecretPiece[]): void {
  const first = Math.min(...pieces.map(({ frame }) => frame))
  const log = new AppendFile(path)
  const file = openSync(path, 'r+')
  try {
    let end = log.size
    for (const line of log.linesFromEnd()) {
      const bytes = Buffer.from(line)
      end -= bytes.length + 1
      const frame = Number(/^\{"n":(\d+)/.exec(line)?.[1])
      if (frame < first) return
      const masked = Buffer.from(pieces.filter((one) => one.frame === frame).reduce(maskPiece, line))
      if (masked.length === bytes.length && !masked.equals(bytes)) writeSync(file, masked, 0, masked.length, end)
    }
  } finally {
    closeSync(file)
    log.close()
  }
}

/** In a line that is JSON the text is a value, otherwise it is the line. Either way it is inside our own JSON. */
function maskPiece(line: string, { is, becomes }: SecretPiece): string {
  const inner = (text: string) => JSON.stringify(JSON.stringify(text)).slice(1, -1)
  if (line.includes(inner(is))) return line.replaceAll(inner(is), () => inner(becomes))
  const outer = (text: string) => `"data":${JSON.stringify(text.replace(/\n$/, ''))}}`
  return line.endsWith(outer(is)) ? line.slice(0, -outer(is).length) + outer(becomes) : line
}
