import type { MiddlewareHandler } from 'hono'
import { TOKEN_PROTOCOL } from '../../contract/api/terminal.ts'
import { AgentMuxError } from '../../contract/errors.ts'
import { asRecord } from '../../core/json.ts'
import { isSameToken } from '../token.ts'
import { Refusal } from './errors.ts'
import { letIn } from './strangers.ts'

/**
 * Stands before every route. A web page anywhere can make a browser send requests to loopback: the Host must be ours
 * (a foreign name may lead here by DNS), the Origin, where there is one, ours too, and the token is always asked for.
 */
export function guard(token: string, port: () => number): MiddlewareHandler {
  return async (context, next) => {
    const header = (name: string) => context.req.header(name)
    const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port()}`)
    if (!hosts.includes(header('host') ?? '')) throw new Refusal(403, 'AUTH_ERROR', 'This Host is not ours')
    const origin = header('origin')
    if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`)) {
      throw new Refusal(403, 'AUTH_ERROR', 'This Origin is not ours')
    }
    const isWebSocket = header('upgrade')?.toLowerCase() === 'websocket'
    const given =
      bearer(header('authorization')) ?? (isWebSocket ? fromProtocols(header('sec-websocket-protocol')) : null)
    if (given === null || !isSameToken(given, token)) {
      throw new Refusal(401, 'AUTH_ERROR', given === null ? 'A token is needed' : 'The token is wrong', {
        hint: 'Send it as "Authorization: Bearer …"; it is in the file `token` of the data directory.',
      })
    }
    letIn(asRecord(asRecord(context.env)?.incoming)?.socket)
    await next()
  }
}

function bearer(header: string | undefined): string | null {
  return /^Bearer (\S+)$/i.exec(header ?? '')?.[1] ?? null
}

function fromProtocols(header: string | undefined): string | null {
  const protocols = (header ?? '').split(',').map((one) => one.trim())
  return protocols.find((one) => one.startsWith(TOKEN_PROTOCOL))?.slice(TOKEN_PROTOCOL.length) ?? null
}

/** A form of a foreign page can send text, never this type without asking first. */
export const jsonOnly: MiddlewareHandler = async (context, next) => {
  const type = context.req.header('content-type')
  if (hasBody(context.req.raw) && !/^application\/json\s*(;|$)/i.test(type ?? '')) {
    throw new Refusal(415, 'VALIDATION_ERROR', `The body must be JSON, not ${type ?? 'of no type'}`)
  }
  await next()
}

function hasBody({ headers }: Request): boolean {
  return headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > 0
}

export async function readBody(request: Request): Promise<Record<string, unknown>> {
  const text = await request.text()
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    throw new AgentMuxError('VALIDATION_ERROR', 'The body is not valid JSON')
  }
  throw new AgentMuxError('VALIDATION_ERROR', 'The body must be a JSON object')
}
