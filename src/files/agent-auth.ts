import type { AuthSetupGuidance, AuthState } from '../contract/auth.ts'
import type { AdapterManifest } from '../contract/manifest.ts'
import type { PathHost } from '../core/agent-paths.ts'
import { type AuthFinding, isOn, readAuthFile } from './auth-file.ts'

/** Where credentials are looked for. */
export interface AuthHost extends PathHost {
  /** Default: this machine's. */
  platform?: NodeJS.Platform
}

const SHOWN_CHARACTERS = 8

/**
 * Looks for credentials in variables, then in files. Local and read-only; what goes wrong is `unknown`, never a throw.
 * Credentials that are there need not be valid: only the provider knows.
 */
export async function detectAuth(manifest: AdapterManifest, host: AuthHost): Promise<AuthState> {
  const finding = await findCredentials(manifest, host).catch(unknownState)
  return { agent: manifest.agent, ...finding, checkedAt: Date.now() }
}

async function findCredentials(manifest: AdapterManifest, host: AuthHost): Promise<AuthFinding> {
  const { auth, directories, displayName } = manifest
  const more = (auth.otherKeys ?? []).map((name) => ({ name, method: 'api_key' as const }))
  // What stands for a whole file is looked into, like the file.
  const contents = new Set(auth.files.map(({ variable }) => variable))
  for (const { name, method } of [...auth.envVars, ...more]) {
    if (contents.has(name)) continue
    const value = host.env[name]?.trim()
    if (value) return { status: 'authenticated', method, identity: prefixOf(value), details: `from ${name}` }
  }
  const files = auth.files.flatMap((file) => (file.beside ? [file, { ...file, variable: file.beside }] : [file]))
  const found = await Promise.all(files.map((file) => readAuthFile(file, directories, host).catch(unknownState)))
  for (const status of ['authenticated', 'expired', 'unknown']) {
    const finding = found.find((candidate) => candidate?.status === status)
    if (finding) return finding
  }
  const away = auth.elsewhere?.find((name) => isOn(host.env[name] ?? ''))
  if (away) return { status: 'unknown', details: `${away} is set: the login is kept elsewhere, which is not read` }
  return nothingFound(manifest, displayName, host.platform ?? process.platform)
}

/** Nothing in the places that are known: that settles it only where there are no others. */
function nothingFound(manifest: AdapterManifest, name: string, platform: NodeJS.Platform): AuthFinding {
  if (platform === 'darwin' && manifest.capabilities.authMethods?.includes('keychain')) {
    return { status: 'unknown', details: `${name} keeps its login in the keychain, which is not read` }
  }
  if (manifest.auth.files.length === 0) {
    return { status: 'unknown', details: `where ${name} keeps its login is not known` }
  }
  return { status: 'unauthenticated' }
}

function unknownState(error: unknown): AuthFinding {
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
