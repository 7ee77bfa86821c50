import { delimiter, isAbsolute } from 'node:path'

/**
 * The directories of a PATH that mean the same everywhere. A relative one (`.`, `node_modules/.bin`) is looked up where
 * the program works: there it would be the repository that says what `claude` or `git` is.
 */
export function searchPath(path: string): string[] {
  return path.split(delimiter).filter((directory) => isAbsolute(directory))
}

/** The same environment, with a PATH of these alone. */
export function withoutRelativePath<Env extends Readonly<Record<string, string | undefined>>>(env: Env): Env {
  const entries = Object.entries(env).map(([name, value]) =>
    /^path$/i.test(name) && value !== undefined ? [name, searchPath(value).join(delimiter)] : [name, value],
  )
  return Object.fromEntries(entries)
}
