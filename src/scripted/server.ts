import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLog, recordOf } from './record.ts'
import { type Attempts, respond, wires } from './respond.ts'
import { baseUrlOf, type Route, routeOf } from './routes.ts'
import { scenarios as builtIn } from './scenarios.ts'
import { readBody, sendJson } from './send.ts'
import type { Protocol, RecordedRequest, Scenario, ScriptedServer, ScriptedServerOptions } from './types.ts'

const modelIds = ['scripted-model', 'mock-model']

const modelList = {
  object: 'list',
  data: modelIds.map((id) => ({
    id,
    object: 'model',
    created: 0,
    owned_by: 'scripted',
    display_name: id,
    // Grok sends an effort only to a model that is listed with it.
    reasoning_efforts: ['low', 'medium', 'high'].map((value) => ({ value, label: value })),
  })),
}

/** The requests that are answered the same whatever the scenario. */
const sendFixed = (response: ServerResponse, { kind, protocol }: Route, isUpgrade: boolean): void => {
  if (kind === 'count-tokens' && protocol) sendJson(response, 200, wires[protocol].countTokens?.())
  else if (kind === 'models') sendJson(response, 200, modelList)
  else if (kind === 'health') sendJson(response, 200, { scripted: true })
  // 426 makes codex fall back from WebSocket to HTTP at once.
  else if (isUpgrade)
    sendJson(response, 426, { error: { message: 'WebSocket is not supported', type: 'not_supported' } })
  else sendJson(response, 404, { error: { message: 'Not found', type: 'not_found_error' } })
}

const isModelRequest = (record: RecordedRequest): record is RecordedRequest & { protocol: Protocol } =>
  record.kind === 'model' && record.protocol !== undefined

/**
 * Starts a server on the loopback interface that plays the model for real coding-agent CLIs, by a scenario.
 *
 * @example
 * const server = await startScriptedServer({ scenario: 'tool' })
 * // run a CLI with ANTHROPIC_BASE_URL = server.baseUrl('anthropic')
 * await server.close()
 */
export const startScriptedServer = async (options: ScriptedServerOptions = {}): Promise<ScriptedServer> => {
  const known: Record<string, Scenario> = { ...builtIn, ...options.scenarios }
  const log = createLog()
  const attempts: Attempts = new Map()

  const find = (scenario: string | Scenario): Scenario => {
    const found = typeof scenario === 'string' ? known[scenario] : scenario
    if (!found) throw new Error(`unknown scenario ${scenario}; known: ${Object.keys(known).join(', ')}`)
    return found
  }
  let current = find(options.scenario ?? 'text')

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const route = routeOf(request.method ?? 'GET', request.url ?? '/')
    const scenario = route.scenario === undefined ? current : known[route.scenario]
    const body = await readBody(request)
    const record = recordOf(request, route, scenario?.name ?? route.scenario ?? '', body)
    response.once('finish', () => {
      record.answeredAt = Date.now()
    })
    const ended = new Promise<void>((resolve) => {
      response.once('close', () => {
        record.status = response.statusCode
        record.aborted = !response.writableEnded && !record.cut
        resolve()
      })
    })
    if (scenario && isModelRequest(record)) {
      const recorded = () => log.add(record)
      await respond(response, record, scenario, { path: route.path, attempts, recorded })
    } else {
      if (!scenario) record.kind = 'unhandled'
      log.add(record)
      sendFixed(response, { ...route, kind: record.kind }, request.headers.upgrade !== undefined)
    }
    await ended
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else sendJson(response, 500, { error: { message: `[scripted] ${error}`, type: 'scripted_server_bug' } })
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`

  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })

  return {
    url,
    port,
    requests: log.requests,
    waitForRequest: log.waitFor,
    use: (scenario) => {
      current = find(scenario)
      attempts.clear()
    },
    baseUrl: (protocol, scenario) => baseUrlOf(url, protocol, scenario === undefined ? undefined : find(scenario).name),
    close,
    [Symbol.asyncDispose]: close,
  }
}
