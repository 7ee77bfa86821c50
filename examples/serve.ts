// An agent behind HTTP: each request is a run, answered with server-sent events. A client that leaves ends its run.
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createClient, type RunOptions } from 'agent-mux'

const mux = createClient()

function answer(prompt: string, model: string | undefined): Response {
  const options: RunOptions = { agent: 'claude', prompt, model, approvalMode: 'deny' }
  return mux.run(options).toResponse({ onDisconnect: 'abort' })
}

const server = createServer(async (request, response) => {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const { status, headers, body } = answer(
    searchParams.get('prompt') ?? 'Say hello',
    searchParams.get('model') ?? undefined,
  )
  response.writeHead(status, Object.fromEntries(headers))
  if (body) await pipeline(Readable.fromWeb(body), response).catch(() => undefined)
})
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => console.log(server.address()))
