import { resolve } from 'node:path'

/** What a path of an agent depends on. */
export interface PathHost {
  env: Readonly<Record<string, string | undefined>>
  homeDir: string
}

/**
 * The variables of a CLI that move its files: by the path without them, what replaces it, the first one whose
 * variables are all set. `{ '~/.codex': ['$CODEX_HOME'] }`.
 */
export type Directories = Readonly<Record<string, readonly string[]>>

const VARIABLE = /\$([A-Z][A-Z0-9_]*)/g

/** The names of the variables in a template. */
export function variablesIn(template: string): string[] {
  return [...template.matchAll(VARIABLE)].map(([, name = '']) => name)
}

/** Manifests write paths below the user's home with a `~`, and a variable as `$NAME`. Null: one of them is not set. */
function expand(template: string, { env, homeDir }: PathHost): string | null {
  if (variablesIn(template).some((name) => !env[name]?.trim())) return null
  const parts = template.split('/').map((part) => {
    const text = part.replaceAll(VARIABLE, (_all, name: string) => env[name]?.trim() ?? '')
    // Also in the value of a variable: that is how most CLIs read theirs.
    return text === '~' || text.startsWith('~/') ? resolve(homeDir, `.${text.slice(1)}`) : text
  })
  // A part may be a whole path, when a variable holds one.
  return resolve(template.startsWith('/') ? '/' : '.', ...parts.filter((part) => part !== ''))
}

/**
 * Where a file or folder of an agent is on this machine: the one place that knows, for logins, settings, sessions and
 * hooks alike. Null: the path is named by a variable that is not set.
 */
export function agentPath(path: string, directories: Directories | undefined, host: PathHost): string | null {
  const defaults = Object.entries(directories ?? {})
    .filter(([place]) => path === place || path.startsWith(`${place}/`))
    .sort(([left], [right]) => right.length - left.length)
  for (const [place, templates] of defaults) {
    for (const template of templates) {
      const moved = expand(template, host)
      if (moved !== null) return resolve(moved, `.${path.slice(place.length)}`)
    }
  }
  return expand(path, host)
}

/** The same for a path that does not hang on a variable of its own, such as those in a hook plan. */
export function placeOf(path: string, directories: Directories | undefined, host: PathHost): string {
  return agentPath(path, directories, host) ?? resolve(host.homeDir, path.replace(/^~\/?/, ''))
}
