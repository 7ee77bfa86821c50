import type { LaunchSecrets } from '../contract/launch.ts'
import { REDACTED, REDACTION_RULES } from '../core/redact.ts'
import type { Redact } from './native-log.ts'

/**
 * Only rules that never reach beyond the text that holds the secret: a line has to stay the JSON that it is, and be
 * interpreted again. What only looks as if it could be a secret, a number behind "tokens" say, has to stay.
 */
const SAFE_RULES: ReadonlySet<string> = new Set(['key with a known prefix', 'bearer token', 'password in an address'])
const RULES = REDACTION_RULES.filter(({ name }) => SAFE_RULES.has(name))

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

/** Takes the secrets of a launch, and what is plainly a key, out of a text. */
export function createRedactor(secrets: LaunchSecrets, processEnv: NodeJS.ProcessEnv): Redact {
  const values = secretValues(secrets, processEnv)
  // As they stand in JSON, too. The longest first: one may be the beginning of another.
  const forms = new Set(values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]))
  const known = [...forms].sort((a, b) => b.length - a.length).map(escapePattern)
  const pattern = known.length === 0 ? null : new RegExp(known.join('|'), 'g')
  return (text) => {
    const rest = pattern ? text.replace(pattern, REDACTED) : text
    return RULES.reduce((left, { pattern: rule, keeps }) => left.replace(rule, replacement(keeps)), rest)
  }
}

function replacement(keeps: 'before' | 'both' | undefined): string {
  return keeps === undefined ? REDACTED : keeps === 'before' ? `$1${REDACTED}` : `$1${REDACTED}$2`
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
