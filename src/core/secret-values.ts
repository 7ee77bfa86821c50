import type { LaunchSecrets } from '../contract/launch.ts'
import { escapePattern } from './escape-pattern.ts'

const SECRET_NAME =
  /(^|[_-])(key|token|secret|password|passwd|passphrase|credential|cookie)s?($|[_-])|apikey|authorization/i
const SHORTEST_SECRET = 8

/** Values that nobody must find in our files: those of variables and headers whose name says so, and keys. */
function secretValues({ env, endpoint, mcpServers = [] }: LaunchSecrets, processEnv: NodeJS.ProcessEnv): string[] {
  const named = [processEnv, env ?? {}, ...mcpServers.map((one) => ('url' in one ? one.headers : one.env) ?? {})]
  const values = named.flatMap((pairs) =>
    Object.entries(pairs).flatMap(([name, value]) => (value !== undefined && SECRET_NAME.test(name) ? [value] : [])),
  )
  return [...values, endpoint?.apiKey ?? ''].filter((value) => value.length >= SHORTEST_SECRET)
}

/** The values as they are, and as they stand in JSON. */
export function secretForms(secrets: LaunchSecrets, processEnv: NodeJS.ProcessEnv): string[] {
  const values = secretValues(secrets, processEnv)
  return [...new Set(values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]))]
}

/** Matches any of these texts; null when there are none. */
export function patternOf(texts: readonly string[]): RegExp | null {
  // The longest first: one may be the beginning of another.
  const known = texts.toSorted((a, b) => b.length - a.length).map(escapePattern)
  return known.length === 0 ? null : new RegExp(known.join('|'), 'g')
}
