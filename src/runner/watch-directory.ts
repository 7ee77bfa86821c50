import { type Stats, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { nullWhenMissing } from '../files/atomic-write.ts'

const LOOK_MS = 1000

/** Reports once that a directory is gone, or that another one is in its place. A look that fails proves nothing. */
export function watchDirectory(path: string, onGone: () => void): void {
  const { ino, dev } = statSync(path)
  const isThere = (found: Stats | null) => found !== null && found.ino === ino && found.dev === dev
  const look = async () => {
    const isGone = await stat(path)
      .catch(nullWhenMissing)
      .then((found) => !isThere(found))
      .catch(() => false)
    if (!isGone) return
    clearInterval(timer)
    onGone()
  }
  const timer = setInterval(() => void look(), LOOK_MS).unref()
}
