import { parseRecord } from '../core/json.ts'
import { withoutRelativePath } from './search-path.ts'

/** What every agent gets from our environment. A trailing `*` matches a prefix. */
const ALLOWED = [
  // home, path, user, shell, locale, terminal, temp
  'HOME PATH USER LOGNAME SHELL LANG LANGUAGE LC_* TZ TERM COLORTERM NO_COLOR FORCE_COLOR TMPDIR TMP TEMP',
  // proxies and CA files, in both spellings
  'HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy',
  'SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS CURL_CA_BUNDLE REQUESTS_CA_BUNDLE GIT_SSL_CAINFO',
  'XDG_*',
  // Windows basics
  'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE USERNAME HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA',
  'PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROCESSOR_ARCHITECTURE NUMBER_OF_PROCESSORS OS',
].flatMap((names) => names.split(' '))

/** Marks every process of a run, however deep, so that those which leave the process group can still be found. */
export const RUN_MARKER = 'AGENT_MUX_RUN_ID'

export interface EnvironmentSources {
  processEnv: Readonly<Record<string, string | undefined>>
  /** Names, or prefixes with `*`, that this agent may see: its own keys and switches. */
  passEnv: readonly string[]
  /** Values set on top, later ones win. */
  set: readonly Readonly<Record<string, string>>[]
  /** Variables with JSON in them, in which what the user has stays below what `own` says. */
  joined?: { names: readonly string[]; own: Readonly<Record<string, string>> }
  runId: string
}

function matcher(names: readonly string[]): (name: string) => boolean {
  const exact = new Set(names.filter((name) => !name.endsWith('*')))
  const prefixes = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1))
  return (name) => exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix))
}

/** Never all of `process.env`: secrets of other programs, NODE_OPTIONS and TLS switches stay out. */
export function agentEnvironment(sources: EnvironmentSources): Record<string, string> {
  const { processEnv, passEnv, set, joined, runId } = sources
  const users = Object.assign(
    allowedEnvironment(processEnv, passEnv),
    ...set.filter((values) => values !== joined?.own),
  )
  const both = joined?.names.flatMap((name) => joinedSettings(name, users[name], joined.own[name])) ?? []
  const env = Object.assign(allowedEnvironment(processEnv, passEnv), ...set, Object.fromEntries(both))
  return Object.assign(env, { [RUN_MARKER]: runId })
}

/** By the keys of the top level, because a part of somebody's permissions below ours would widen them. */
function joinedSettings(name: string, users: string | undefined, own: string | undefined): [string, string][] {
  const [below, above] = [parseRecord(users ?? ''), parseRecord(own ?? '')]
  return below && above ? [[name, JSON.stringify({ ...below, ...above })]] : []
}

/** What of an environment an agent may see. */
export function allowedEnvironment(
  processEnv: Readonly<Record<string, string | undefined>>,
  passEnv: readonly string[],
): Record<string, string> {
  const allowed = matcher([...ALLOWED, ...passEnv])
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(processEnv)) {
    const key = process.platform === 'win32' ? name.toUpperCase() : name
    if (value !== undefined && allowed(key)) env[name] = value
  }
  return withoutRelativePath(env)
}
