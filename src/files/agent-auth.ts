import { readFile, stat } from 'node:fs/promises'
import type { AuthMethod, AuthSetupGuidance, AuthState } from '../contract/auth.ts'
import type { AdapterManifest } from '../contract/manifest.ts'
import { asNumber, isRecord, parseRecord } from '../core/json.ts'
import { nullWhenMissing } from './atomic-write.ts'
import { expandHome } from './home.ts'

/** Where credentials are looked for. */
export interface AuthHost {
  env: Readonly<Record<string, string | undefined>>
  homeDir: string
}

type Finding = Omit<AuthState, 'agent' | 'checkedAt'>

// A credentials file is a few kilobytes; whatever is larger is not read on the way to an answer.
const MAX_BYTES = 256 * 1024
const SHOWN_CHARACTERS = 8

/** Looks for credentials in variables, then in files. Local and read-only; what goes wrong is `unknown`, never a throw. */
export async function detectAuth(manifest: AdapterManifest, host: AuthHost): Promise<AuthState> {
  const finding = await findCredentials(manifest.auth, host).catch(unknownState)
  return { agent: manifest.agent, ...finding, checkedAt: Date.now() }
}

async function findCredentials(auth: AdapterManifest['auth'], host: AuthHost): Promise<Finding> {
  for (const { name, method } of auth.envVars) {
    const value = host.env[name]?.trim()
    if (value) return { status: 'authenticated', method, identity: prefixOf(value), details: `from ${name}` }
  }
  const found = await Promise.all(
    auth.files.map(({ path, method }) => readCredentials(expandHome(path, host.homeDir), method).catch(unknownState)),
  )
  for (const status of ['authenticated', 'expired', 'unknown']) {
    const finding = found.find((candidate) => candidate?.status === status)
    if (finding) return finding
  }
  return { status: 'unauthenticated' }
}

/** Null: no such file, or nothing in it. */
async function readCredentials(path: string, method: AuthMethod): Promise<Finding | null> {
  const stats = await stat(path).catch(nullWhenMissing)
  if (!stats?.isFile() || stats.size === 0) return null
  const details = `from ${path}`
  if (stats.size > MAX_BYTES) return { status: 'authenticated', method, details }
  const text = (await readFile(path, 'utf8')).trim()
  if (text === '' || text === '{}') return null
  const expiresAt = expiryOf(parseRecord(text))
  if (expiresAt === undefined) return { status: 'authenticated', method, details }
  return { status: expiresAt > Date.now() ? 'authenticated' : 'expired', method, expiresAt, details }
}

/** At the top or one table below, as in `claudeAiOauth.expiresAt`; the latest one where there are several accounts. */
function expiryOf(record: unknown): number | undefined {
  if (!isRecord(record)) return undefined
  const times = [record, ...Object.values(record).filter(isRecord)].flatMap((table) => asNumber(table.expiresAt) ?? [])
  return times.length === 0 ? undefined : Math.max(...times)
}

function unknownState(error: unknown): Finding {
  return { status: 'unknown', details: error instanceof Error ? error.message : String(error) }
}

/** Never a whole secret, not even a very short one. */
function prefixOf(value: string): string {
  return `${value.slice(0, value.length > SHOWN_CHARACTERS ? SHOWN_CHARACTERS : Math.floor(value.length / 2))}…`
}

/** How to sign in, from the manifest's data alone. Must not throw, also not on a manifest from outside that lacks parts. */
export function authGuidance(manifest: AdapterManifest): AuthSetupGuidance {
  try {
    return guidance(manifest)
  } catch {
    const { agent, displayName } = manifest
    return { agent, providerName: displayName, steps: [], envVars: [], documentationUrls: [] }
  }
}

function guidance({ agent, displayName, auth }: AdapterManifest): AuthSetupGuidance {
  const { providerName, envVars, loginCommand, verifyCommand, documentationUrls } = auth
  const names = envVars.map(({ name }) => name).join(' or ')
  const steps = [
    ...(loginCommand ? [{ description: `Sign in to ${displayName}`, command: loginCommand }] : []),
    ...(names ? [{ description: `${loginCommand ? 'Or set' : 'Set'} ${names} to a key of ${providerName}` }] : []),
    ...(verifyCommand ? [{ description: 'Check that it works', command: verifyCommand }] : []),
  ]
  return {
    agent,
    providerName,
    steps: steps.map((step, index) => ({ step: index + 1, ...step })),
    envVars: envVars.map(({ name, description }) => ({
      name,
      description,
      required: envVars.length === 1 && !loginCommand,
    })),
    documentationUrls: [...documentationUrls],
    loginCommand,
    verifyCommand,
  }
}
