import { createHmac } from 'node:crypto'
import type { Account } from '../../contract/api/quota.ts'
import type { LaunchSecrets } from '../../contract/launch.ts'
import type { AdapterManifest } from '../../contract/manifest.ts'

export type { Account } from '../../contract/api/quota.ts'

export interface AccountSources {
  manifest: Pick<AdapterManifest, 'auth' | 'passEnv'> | undefined
  profile: string | undefined
  secrets: LaunchSecrets
  env: NodeJS.ProcessEnv
  /** Known to this data directory alone: a hash of a weak key cannot be guessed without it. */
  salt: string
}

/** Variables that say where an agent has its sign-in, or whom it asks. */
const PLACE = /^HOME$|_(HOME|CONFIG_DIR|BASE_URL|ENDPOINT)$/

/**
 * Whose limits a launch uses: an agent that is at its limit with one key, endpoint or sign-in may go on with another.
 * Keys are only ever known by a hash.
 */
export function accountOf({ manifest, profile, secrets, env: given, salt }: AccountSources): Account {
  const env: NodeJS.ProcessEnv = { ...given, ...secrets.env }
  const hash = (text: string, length: number) => createHmac('sha256', salt).update(text).digest('hex').slice(0, length)
  const { endpoint } = secrets
  const names = [...(manifest?.auth.envVars ?? []).map(({ name }) => name), ...(manifest?.auth.otherKeys ?? [])]
  const keys = names.flatMap((name) => env[name] || [])
  const key = endpoint?.apiKey ?? keys.join('\n')
  const places = Object.keys(env).filter((name) => PLACE.test(name))
  const seen = places.toSorted().map((name) => `${name}=${env[name]}`)
  const address = endpoint ? addressOf(endpoint.baseUrl) : null
  const whole = JSON.stringify([address, key, profile ?? null, seen])
  return { id: hash(whole, 12), endpoint: address, key: key === '' ? null : hash(key, 8), profile: profile ?? null }
}

/** Without a password, and without what may hold one. */
function addressOf(url: string): string {
  try {
    const { origin, pathname } = new URL(url)
    return origin + (pathname === '/' ? '' : pathname)
  } catch {
    return 'unreadable'
  }
}
