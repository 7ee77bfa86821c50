import { readFile } from 'node:fs/promises'
import { usageError } from './command.ts'

/** The bytes of a file, or of standard input for `-`. */
export async function readInput(path: string): Promise<Buffer> {
  if (path !== '-') {
    try {
      return await readFile(path)
    } catch (error) {
      throw usageError(`Cannot read ${path}: ${error instanceof Error ? error.message : error}`)
    }
  }
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}
