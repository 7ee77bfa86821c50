import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Route } from './routes.ts'
import type { RecordedRequest } from './types.ts'

const keyHeaders = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key']

const masked = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, keyHeaders.includes(name) ? '***' : value]))

/** The Gemini API also takes the key in the query. */
const maskedUrl = (url: string): string => url.replace(/([?&]key=)[^&]+/, '$1***')

export const recordOf = (request: IncomingMessage, route: Route, scenario: string, body: unknown): RecordedRequest => ({
  kind: route.kind,
  protocol: route.protocol,
  scenario,
  method: request.method ?? '',
  url: request.url ?? '',
  headers: request.headers,
  keySent: keyHeaders.some((name) => name in request.headers) || /[?&]key=/.test(request.url ?? ''),
  body,
  helper: false,
  turn: 0,
  step: 0,
  status: 0,
  calledTools: [],
  aborted: false,
  cut: false,
  toJSON() {
    return { ...this, headers: masked(this.headers), url: maskedUrl(this.url) }
  },
})

type Waiter = { predicate: (request: RecordedRequest) => boolean; resolve: (request: RecordedRequest) => void }

/** The requests so far, and those who wait for one. A request is recorded once its place in the script is known. */
export const createLog = () => {
  const requests: RecordedRequest[] = []
  const waiters = new Set<Waiter>()

  const add = (request: RecordedRequest): void => {
    requests.push(request)
    for (const waiter of waiters) if (waiter.predicate(request)) waiter.resolve(request)
  }

  const waitFor = (predicate: Waiter['predicate'], timeoutMs = 10_000): Promise<RecordedRequest> => {
    const past = requests.find(predicate)
    if (past) return Promise.resolve(past)
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        predicate,
        resolve: (request) => {
          clearTimeout(timer)
          waiters.delete(waiter)
          resolve(request)
        },
      }
      const timer = setTimeout(() => {
        waiters.delete(waiter)
        reject(new Error(`no such request within ${timeoutMs} ms (${requests.length} others arrived)`))
      }, timeoutMs)
      waiters.add(waiter)
    })
  }

  return { requests, add, waitFor }
}
