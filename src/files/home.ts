import { join } from 'node:path'

/** Manifests write paths below the user's home with a `~`. */
export function expandHome(path: string, homeDir: string): string {
  return path === '~' || path.startsWith('~/') ? join(homeDir, path.slice(1)) : path
}
