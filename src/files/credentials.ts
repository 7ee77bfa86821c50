import { asNumber, asString, asTime, isRecord, type JsonRecord, parseRecord } from '../core/json.ts'
import { type CredentialValue, credentialValue } from './credential-value.ts'

/** A credential that is in a document. Its value is never kept. */
export interface Credential {
  /** Epoch milliseconds; undefined: it does not say. */
  expiresAt?: number
  /** The CLI can get a new one without the user. */
  renewable: boolean
  /** A command, a file or a vault has it: whether it is there is not known. */
  unread: boolean
}

const CREDENTIAL_NAME =
  /^(.*[_-])?(api[_-]?key|access[_-]?token|refresh[_-]?token|auth[_-]?token|id[_-]?token|bearer|token|access|refresh|key)(@.*)?$/i
const EXPIRY_NAMES = ['expiresAt', 'expires_at', 'expires', 'expiry', 'expiry_date', 'expiryDate']
const REFRESH_NAMES = ['refreshToken', 'refresh_token', 'refresh']
const MAX_DEPTH = 8

type Environment = Readonly<Record<string, string | undefined>>

interface Places {
  keys?: readonly string[]
  /** Fields that name the variable in which a credential is. */
  variables?: readonly string[]
}

/** All credentials of a document: where `keys` say, or wherever a field has the name of one. */
export function credentialsIn(document: unknown, { keys, variables = [] }: Places, env: Environment): Credential[] {
  const places = keys ? keys.flatMap((key) => fieldsAt(document, key.split('.'))) : namedFields(document, 0)
  const named = variables.flatMap((key) => fieldsAt(document, key.split('.')))
  const values = named.map(({ owner, value }) => ({ owner, value: env[asString(value)?.trim() ?? ''] }))
  return [...places, ...values].flatMap(({ owner, value }) => {
    const text = asString(value) ?? ''
    const kind = isRecord(value) ? referenceKind(value, env) : credentialValue(text, env)
    return kind === 'absent' ? [] : [{ ...describe(text.trim(), owner), unread: kind === 'unread' }]
  })
}

/** `{source: 'env', id: 'NAME'}`, as OpenClaw refers to a secret: a variable, or what a file or a command has. */
function referenceKind({ source, id }: JsonRecord, env: Environment): CredentialValue {
  if (asString(source) === undefined || !asString(id)) return 'absent'
  return source === 'env' ? credentialValue(env[asString(id) ?? ''] ?? '', {}) : 'unread'
}

interface Field {
  owner: JsonRecord
  value: unknown
}

/** The fields at a path of keys, in which `*` stands for any part of a key. Lists are gone through. */
export function fieldsAt(node: unknown, path: readonly string[]): Field[] {
  if (Array.isArray(node)) return node.flatMap((item) => fieldsAt(item, path))
  const [key, ...rest] = path
  if (!isRecord(node) || key === undefined) return []
  const found = Object.entries(node).filter(([name]) => matches(name, key))
  return found.flatMap(([, value]) => (rest.length === 0 ? leaves(node, value) : fieldsAt(value, rest)))
}

function leaves(owner: JsonRecord, value: unknown): Field[] {
  return Array.isArray(value) ? value.map((item) => ({ owner, value: item })) : [{ owner, value }]
}

function matches(name: string, pattern: string): boolean {
  const star = pattern.indexOf('*')
  if (star < 0) return name === pattern
  return name.startsWith(pattern.slice(0, star)) && name.endsWith(pattern.slice(star + 1))
}

function namedFields(node: unknown, depth: number): Field[] {
  if (depth > MAX_DEPTH) return []
  if (Array.isArray(node)) return node.flatMap((item) => namedFields(item, depth + 1))
  if (!isRecord(node)) return []
  return Object.entries(node).flatMap(([name, value]) => {
    if (typeof value === 'string') return CREDENTIAL_NAME.test(name) ? [{ owner: node, value }] : []
    return namedFields(value, depth + 1)
  })
}

function describe(value: string, owner: JsonRecord): Omit<Credential, 'unread'> {
  const expiresAt = EXPIRY_NAMES.flatMap((name) => timeOf(owner[name]) ?? [])[0] ?? expiryOfJwt(value)
  const renewable = REFRESH_NAMES.some((name) => (asString(owner[name])?.trim() ?? '') !== '')
  return { ...(expiresAt !== undefined && { expiresAt }), renewable }
}

// Earlier than 2001 in milliseconds, so it is seconds.
const SECONDS_BELOW = 1e12

function timeOf(value: unknown): number | undefined {
  const count = asNumber(typeof value === 'string' && /^\d{9,}$/.test(value) ? Number(value) : value)
  // 0 is how some CLIs write "never".
  if (count !== undefined) return count <= 0 ? undefined : count < SECONDS_BELOW ? count * 1000 : count
  return asTime(value)
}

/** The expiry that a JSON web token itself states. Its signature does not matter here. */
function expiryOfJwt(value: string): number | undefined {
  const [, payload, signature] = value.split('.')
  if (!payload || signature === undefined) return undefined
  return timeOf(parseRecord(Buffer.from(payload, 'base64url').toString('utf8'))?.exp)
}
