import { readFile, stat } from 'node:fs/promises'
import type { AuthState } from '../contract/auth.ts'
import type { AuthFile } from '../contract/manifest.ts'
import { agentPath, type Directories, type PathHost } from '../core/agent-paths.ts'
import { asString, isRecord } from '../core/json.ts'
import { nullWhenMissing } from './atomic-write.ts'
import { type Credential, credentialsIn, fieldsAt } from './credentials.ts'
import { documentFormat } from './documents.ts'
import { parseEnvFile } from './env-file.ts'
import { openReadOnly } from './sqlite.ts'

export type AuthFinding = Omit<AuthState, 'agent' | 'checkedAt'>

// A credentials file is a few kilobytes; whatever is larger is not read on the way to an answer.
const MAX_BYTES = 1024 * 1024

/** What one file says. Null: there is no such file, or no credential in it. */
export async function readAuthFile(
  file: AuthFile,
  directories: Directories | undefined,
  host: PathHost,
): Promise<AuthFinding | null> {
  const inline = file.variable && host.env[file.variable]?.trim()
  if (inline) return judge(file, await parse(file, inline), `from ${file.variable}`, host.env)
  const path = agentPath(file.path, directories, host)
  const stats = path === null ? null : await stat(path).catch(nullWhenMissing)
  if (path === null || !stats?.isFile() || stats.size === 0) return null
  const details = `from ${path}`
  try {
    if (file.format === 'sqlite') return judge(file, await rowsOf(path, file.query ?? ''), details, host.env)
    if (stats.size > MAX_BYTES) return unclear(`${path} is too large to be looked into`)
    const text = await readFile(path, 'utf8')
    if (text.trim() === '') return null
    if (file.format === 'sealed') return sealed(file, text, path)
    return judge(file, await parse(file, text), details, host.env)
  } catch (error) {
    const why = isRecord(error) && error.code === 'EACCES' ? 'may not be read' : 'cannot be understood'
    return unclear(`${path} ${why}, so it is not known whether a credential is in it`)
  }
}

function unclear(details: string): AuthFinding {
  return { status: 'unknown', details }
}

/** Only credentials are sealed, so the presence of something sealed is all we need to know. */
function sealed({ method }: AuthFile, text: string, path: string): AuthFinding | null {
  if (holdsNothing(text)) return null
  if (!looksSealed(text)) return unclear(`${path} is not encrypted, as its CLI leaves it: what is in it is not known`)
  return { status: 'authenticated', method, details: `from ${path}, which is encrypted and was not looked into` }
}

/** Parts in hex or base64, as the CLIs write what they have encrypted. */
const ENCODED = /^[\w+/=-]+(?:[.:][\w+/=-]+)*$/
const LEAST_SEALED = 24
const LEAST_VARIED = 8

/** Bytes, or a text that encodes some; nothing that a person would write. */
function looksSealed(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: bytes hold them, and a text does not.
  if (/[\0-\x08\x0e-\x1f\ufffd]/.test(text)) return true
  const body = text.trim()
  return ENCODED.test(body) && body.length >= LEAST_SEALED && new Set(body).size >= LEAST_VARIED
}

/** JSON without a word in it, as is left after a sign-out: that is not encrypted, and not a credential. */
function holdsNothing(text: string): boolean {
  try {
    return !hasWord(JSON.parse(text.replace(/^\uFEFF/, '')))
  } catch {
    return false
  }
}

function hasWord(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== ''
  return typeof value === 'object' && value !== null && Object.values(value).some(hasWord)
}

function parse({ format = 'json', path }: AuthFile, text: string): Promise<unknown> | unknown {
  if (format === 'env') return parseEnvFile(text)
  if (format === 'text') return { token: text }
  if (format === 'sqlite' || format === 'sealed') throw new Error(`${path} is not text`)
  return documentFormat(format).parse(text, path)
}

async function rowsOf(path: string, query: string): Promise<unknown[]> {
  const database = await openReadOnly(path)
  try {
    const rows = database.all(query)
    return rows
      .map((row) => Object.values(row)[0])
      .map((value) => (typeof value === 'string' ? JSON.parse(value) : value))
  } finally {
    database.close()
  }
}

function judge(file: AuthFile, document: unknown, details: string, env: PathHost['env']): AuthFinding | null {
  const credentials = credentialsIn(document, file, env)
  const best = credentials.filter(({ unread }) => !unread).sort((left, right) => lasting(right) - lasting(left))[0]
  if (best) return { ...stateOf(best, details), method: file.method }
  const identity = firstText(document, file.logins)
  if (identity) {
    return {
      status: 'authenticated',
      method: 'keychain',
      identity,
      details: `${details}; the token is in the keychain`,
    }
  }
  if (credentials.length > 0) return unclear(`${details}: the key comes from a command or a vault, which is not asked`)
  const setUp = switchedOn(document, file.setUp)
  return setUp
    ? unclear(`${details}: ${setUp} is set up, and its credential is kept elsewhere, which is not read`)
    : null
}

/** What the first of the settings says: any word, or after a `=` one of those. A `0` or `false` switches nothing on. */
function switchedOn(document: unknown, settings: readonly string[] = []): string | undefined {
  for (const setting of settings) {
    const [key = '', allowed] = setting.split('=')
    const value = firstText(document, [key])
    if (value && isOn(value) && (allowed?.split('|').includes(value) ?? true))
      // A command line is not a name, and may have a secret in it.
      return key.startsWith('env.') || !/^[\w.@-]+$/.test(value) ? key : value
  }
  return undefined
}

/** How the CLIs read a switch that is a text. */
export function isOn(value: string): boolean {
  return !['', '0', 'false', 'no', 'off'].includes(value.trim().toLowerCase())
}

function firstText(document: unknown, keys: readonly string[] = []): string | undefined {
  const fields = keys.flatMap((key) => fieldsAt(document, key.split('.')))
  return fields.flatMap(({ value }) => asString(value)?.trim() || [])[0]
}

/** Of several accounts the one that lasts longest counts. */
function lasting({ expiresAt, renewable }: Credential): number {
  return renewable || expiresAt === undefined ? Number.MAX_SAFE_INTEGER : expiresAt
}

function stateOf({ expiresAt, renewable }: Credential, details: string): AuthFinding {
  if (expiresAt === undefined) return { status: 'authenticated', details }
  if (expiresAt > Date.now()) return { status: 'authenticated', expiresAt, details }
  if (!renewable) return { status: 'expired', expiresAt, details }
  return {
    status: 'authenticated',
    expiresAt,
    details: `${details}; its access token has expired, and the CLI renews it`,
  }
}
