import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

const TIMEOUT_MS = 10_000
const TRIES = 3
const PAUSE_MS = 2000

export interface Webhook {
  url: string
  /** Known to us and to the receiver: what we send is signed with it. */
  secret?: string
}

/**
 * By which the receiver knows that a body comes from us, and when it was sent: HMAC-SHA256 of `<timestamp>.<body>`. With
 * the time in it nobody can send an old one again.
 */
export function signature(body: string, secret: string, timestamp: number): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
}

/** Posts a body until it is taken, a few times at most. A delivery keeps its id, so that the receiver takes it once. */
export async function post({ url, secret }: Webhook, body: string): Promise<void> {
  const id = randomUUID()
  for (let tries = 1; ; tries++) {
    try {
      return await postOnce(url, body, headersOf(id, body, secret))
    } catch (error) {
      if (tries >= TRIES) throw error
    }
    await sleep(PAUSE_MS * tries, undefined, { ref: false })
  }
}

function headersOf(id: string, body: string, secret: string | undefined): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000)
  return {
    'content-type': 'application/json',
    'amux-delivery': id,
    'amux-timestamp': String(timestamp),
    ...(secret !== undefined && { 'amux-signature': signature(body, secret, timestamp) }),
  }
}

async function postOnce(url: string, body: string, headers: Record<string, string>): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' })
  await response.body?.cancel() // whatever else it says is of no use, and may have no end
  if (!response.ok) throw new Error(`it answered ${response.status}`)
}
