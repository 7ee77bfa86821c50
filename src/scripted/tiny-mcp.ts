import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/**
 * An MCP server with one tool, `echo`, which answers `pong:<text>`: on stdio, or with an argument on HTTP, where it
 * prints its port and then the headers of each request.
 *
 * It is JavaScript source in a string, and is run as `node -e`, because a file would have two homes: a `.ts` path under
 * vitest (which Node 20 cannot run) and a `.js` path in `dist`.
 */
const source = `
const tools = [{
  name: 'echo',
  description: 'Returns pong:<text>.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  annotations: { title: 'Echo', readOnlyHint: true },
}]
const answers = {
  initialize: (params) => ({
    protocolVersion: params?.protocolVersion ?? '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'tiny', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': (params) => ({ content: [{ type: 'text', text: 'pong:' + params?.arguments?.text }], isError: false }),
}
const print = (record) => process.stdout.write(JSON.stringify(record) + '\\n')
const answerTo = ({ id, method, params }) => {
  if (id === undefined) return undefined
  const answer = answers[method]
  if (answer) return { jsonrpc: '2.0', id, result: answer(params) }
  return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found: ' + method } }
}
let stream
const openStream = (response) => {
  stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
  stream.write('event: endpoint\\ndata: /messages\\n\\n')
}
const onHttp = (request, response) => {
  print({ headers: request.headers })
  const isSse = request.url !== '/mcp'
  if (request.method === 'GET' && isSse) return openStream(response)
  if (request.method !== 'POST' || request.url === '/sse') return response.writeHead(405).end()
  let body = ''
  request.on('data', (chunk) => (body += chunk)).on('end', () => {
    const answer = answerTo(JSON.parse(body))
    if (answer && !isSse) return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    response.writeHead(202).end()
    if (answer) stream.write('event: message\\ndata: ' + JSON.stringify(answer) + '\\n\\n')
  })
}
if (process.argv[1] === 'http') {
  const server = require('node:http').createServer(onHttp)
  server.listen(0, '127.0.0.1', () => print({ port: server.address().port }))
  process.stdin.resume().on('end', () => process.exit(0))
} else {
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const answer = line.trim() === '' ? undefined : answerTo(JSON.parse(line))
    if (answer) print(answer)
  })
}
`

/** How to start the small MCP server. */
export type McpCommand = { command: string; args: string[] }

/** The command line of the tiny MCP server. The `mcp` scenario expects it under the server name `tiny`. */
export const tinyMcpServer = (): McpCommand => ({ command: process.execPath, args: ['-e', source.trim()] })

/** The small MCP server over HTTP. */
export interface TinyMcpHttp {
  /** By transport. */
  urls: { 'streamable-http': string; sse: string }
  /** The headers of the requests so far. */
  headers: Record<string, string>[]
  close(): void
}

/** The same server on HTTP, in a process of its own, which ends with this one. */
export async function startTinyMcpHttp(): Promise<TinyMcpHttp> {
  const { command, args } = tinyMcpServer()
  const child: ChildProcess = spawn(command, [...args, 'http'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const headers: Record<string, string>[] = []
  const port = await new Promise<number>((resolve, reject) => {
    child.once('error', reject).once('exit', () => reject(new Error('the MCP server did not start')))
    if (!child.stdout) return
    createInterface({ input: child.stdout }).on('line', (line) => {
      const record = JSON.parse(line)
      if (record.headers) headers.push(record.headers)
      else resolve(record.port)
    })
  })
  const origin = `http://127.0.0.1:${port}`
  return { urls: { 'streamable-http': `${origin}/mcp`, sse: `${origin}/sse` }, headers, close: () => child.kill() }
}
