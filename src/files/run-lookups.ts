import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

// Synchronous: the arguments of a run are built in one step.

/** The text of a small file; undefined when it cannot be read. */
export function textIfThere(filePath: string): string | undefined {
  try {
    return readFileSync(filePath, 'utf8')
  } catch {
    return undefined
  }
}

/** The files in `directory/<any>/<folder>`: absolute, the largest first. */
export function filesInEach(directory: string, folder: string, accept: (name: string) => boolean): string[] {
  const files = namesIn(directory).flatMap((name) => {
    const place = join(directory, name, folder)
    return namesIn(place)
      .filter(accept)
      .map((file) => join(place, file))
  })
  return files.toSorted((a, b) => sizeOf(b) - sizeOf(a))
}

/** What is in a directory; nothing when it cannot be read. */
export function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

function sizeOf(filePath: string): number {
  return statSync(filePath, { throwIfNoEntry: false })?.size ?? 0
}
