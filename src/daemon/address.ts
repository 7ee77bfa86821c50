import { requireOwnData } from './own-data.ts'
import { liveRegistration } from './registration.ts'
import { readToken } from './token.ts'

/** Where the daemon of a data directory listens, and the key to it. Rejects when none serves there. */
export async function daemonAddress(dataDir: string): Promise<{ url: string; token: string }> {
  requireOwnData(dataDir)
  const [registration, token] = await Promise.all([liveRegistration(dataDir), readToken(dataDir)])
  if (registration?.port && token) return { url: `http://127.0.0.1:${registration.port}`, token }
  throw new Error('no daemon is registered')
}
