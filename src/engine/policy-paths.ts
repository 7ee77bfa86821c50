import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, parse, resolve, sep } from 'node:path'
import type { PolicyPlace } from '../core/policy/decide.ts'

const MOST_LINKS = 40

/** Where a path leads: links are followed, also one whose target does not exist; what is not there yet is taken as written. */
export function realPath(path: string): string {
  let links = 0
  const follow = (from: string, parts: readonly string[]): string => {
    const [part, ...rest] = parts
    if (part === undefined) return from
    if (part === '' || part === '.') return follow(from, rest)
    if (part === '..') return follow(parse(from).root === from ? from : join(from, '..'), rest)
    const next = join(from, part)
    const target = linkAt(next)
    if (target === null) return follow(next, rest)
    links += 1
    if (links > MOST_LINKS) return resolve(next, ...rest)
    const { root } = parse(target)
    return follow(root || from, [...target.slice(root.length).split(sep), ...rest])
  }
  const { root } = parse(path)
  return follow(root, path.slice(root.length).split(sep))
}

function linkAt(path: string): string | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : null
  } catch {
    return null // a part of it is not a directory, or not ours to see
  }
}

const slashes = (path: string): string => (sep === '/' ? path : path.replaceAll(sep, '/'))

function withoutLinks(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

/** Where the rules of a run look for files. */
export function policyPlace(runCwd: string): PolicyPlace {
  const home = withoutLinks(homedir())
  const cwd = withoutLinks(resolve(runCwd))
  return {
    cwd: slashes(cwd),
    home: slashes(home),
    resolve(path, from) {
      const isHome = path === '~' || path.startsWith('~/')
      const base = withoutLinks(resolve(cwd, from))
      // Joined, not resolved: `..` after a link leads elsewhere than it looks.
      const written = isHome ? home + path.slice(1) : parse(path).root === '' ? `${base}${sep}${path}` : path
      const named = resolve(written)
      // A link below the directory of the run is a file of its own: an agent may replace it.
      const own = named.startsWith(cwd + sep) ? [named] : []
      const real = [...new Set([realPath(written), realPath(named), ...own])].map(slashes)
      return { real, named: slashes(named) }
    },
  }
}
