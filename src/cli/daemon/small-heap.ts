import { setFlagsFromString } from 'node:v8'

const GROWTH = '--semi-space-growth-factor'

/**
 * Does the loading of a process that lives for weeks. Code that is loaded all survives, so that V8 would give its
 * nursery several times the room, and never take it back: 7 MB of an idle daemon. From then on it grows as usual.
 */
export async function startSmall<T>(start: () => Promise<T>): Promise<T> {
  setFlagsFromString(`${GROWTH}=1`)
  try {
    return await start()
  } finally {
    setFlagsFromString(`${GROWTH}=2`)
  }
}
