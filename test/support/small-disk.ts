import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  path: string
  /** Takes all the room there is; the result gives it back. */
  fill(): () => void
  remove(): void
}

/** A file system of its own that can be full. Null where mounting is not allowed. */
export function smallDisk(size = '4m'): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), 'amux-small-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    rmSync(path, { recursive: true })
    return null
  }
  return {
    path,
    fill: () => fillUp(join(path, 'fill')),
    remove() {
      execFileSync('umount', ['-l', path])
      rmSync(path, { recursive: true, force: true })
    },
  }
}

function fillUp(directory: string): () => void {
  mkdirSync(directory)
  for (const bytes of [4 * 1024 * 1024, 16 * 1024]) {
    try {
      for (let n = 0; ; n++) writeFileSync(join(directory, `${bytes}-${n}`), Buffer.alloc(bytes))
    } catch {
      // full
    }
  }
  return () => rmSync(directory, { recursive: true })
}
