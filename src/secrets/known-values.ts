import type { LaunchSecrets } from '../contract/launch.ts'
import { isSecretName } from './names.ts'

/** Too short to be looked for: it would be found in every text. */
const MIN_LENGTH = 6
/** As short as that only where no word is like it. */
const MIN_WORD_LENGTH = 8
const MIN_LINE_LENGTH = 24

/** What is set where nothing is secret: to hide it would only spoil the text. */
const DEFAULTS: ReadonlySet<string> = new Set([
  ...[
    'password',
    'postgres',
    'postgresql',
    'changeme',
    'disabled',
    'required',
    'undefined',
    'development',
    'production',
  ],
  ...['localhost', 'secret', 'default', 'mysecret', 'mypassword', 'anonymous', 'optional', 'true', 'false'],
])
const PATH = /^(?:~?\/(?:[\w.@-]+\/)*[\w.@-]+\/?|[A-Za-z]:\\[\w\\. -]+)$/
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:([^/\s@]+)@/i

/** Values that nobody must find in our files: those of variables and headers whose name says so, and keys. */
export function knownValues(
  { env, endpoint, mcpServers = [] }: LaunchSecrets,
  processEnv: NodeJS.ProcessEnv,
): string[] {
  const pairs = [processEnv, env ?? {}, ...mcpServers.map((one) => ('url' in one ? one.headers : one.env) ?? {})]
  const values = pairs.flatMap((named) =>
    Object.entries(named).flatMap(([name, value = '']) => ofVariable(name, value)),
  )
  const addresses = [endpoint?.baseUrl ?? '', ...mcpServers.map((one) => ('url' in one ? one.url : ''))]
  const all = [...values, endpoint?.apiKey ?? '', ...addresses.flatMap(passwordIn)]
  return [...new Set(all.flatMap(formsOf))].filter(isWorthLooking)
}

function ofVariable(name: string, value: string): string[] {
  return isSecretName(name) && !isPublic(value) ? [value, ...passwordIn(value)] : passwordIn(value)
}

/** A value as it may appear in a text: as it is, in base64 and in hexadecimal. */
export function encodingsOf(value: string): string[] {
  const hex = Buffer.from(value).toString('hex')
  return [value, ...inBase64(value), hex, hex.toUpperCase()]
}

/** What is the same in every text in base64 that has the value in it, at each of the three places in a group. */
function inBase64(value: string): string[] {
  const cores = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)])
    const core = bytes.toString('base64').replace(/=+$/, '')
    return core.slice(Math.ceil((before * 4) / 3), bytes.length % 3 === 0 ? core.length : core.length - 1)
  })
  const long = cores.filter((core) => core.length >= MIN_WORD_LENGTH)
  return [...long, ...long.map((core) => core.replaceAll('+', '-').replaceAll('/', '_'))]
}

/** A file or directory that the secret is in. */
function isPublic(value: string): boolean {
  return PATH.test(value) && (value.match(/[/\\]/g)?.length ?? 0) > 1 && !/[A-Z0-9]{2}.*\d/.test(value)
}

/** The password of an address, as it is written there and as it is meant. */
function passwordIn(value: string): string[] {
  const [, password] = ADDRESS.exec(value) ?? []
  return password === undefined ? [] : [password, decoded(password)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The forms in which a value can appear in a text that the other readings do not undo. */
function formsOf(value: string): string[] {
  const trimmed = value.trim()
  const lines = trimmed.includes('\n') ? trimmed.split(/\r?\n/).map((line) => line.trim()) : []
  const inBytes = /[^\x20-\x7e\s]/.test(trimmed) ? [Buffer.from(trimmed).toString('latin1')] : []
  const token = /^(?:bearer|basic|token)\s+(\S+)$/i.exec(trimmed)?.[1]
  return [
    ...[trimmed, ...inBytes, ...(token ? [token] : [])],
    ...(trimmed.includes(' ') ? [trimmed.replaceAll(' ', '+')] : []),
    // Without its line breaks, as others may have joined it, and each line of it.
    ...(lines.length > 0 ? [lines.join(''), ...lines.filter((line) => line.length >= MIN_LINE_LENGTH)] : []),
  ]
}

function isWorthLooking(value: string): boolean {
  if (DEFAULTS.has(value.toLowerCase()) || /^-----[A-Z ]+-----$/.test(value)) return false
  return value.length >= (/^[a-z]+$|^\d+$/i.test(value) ? MIN_WORD_LENGTH : MIN_LENGTH)
}
