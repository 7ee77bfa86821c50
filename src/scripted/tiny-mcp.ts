/**
 * A stdio MCP server with one tool, `echo`, which answers `pong:<text>`.
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
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  if (line.trim() === '') return
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = answers[method]
  if (answer) send({ id, result: answer(params) })
  else send({ id, error: { code: -32601, message: 'Method not found: ' + method } })
})
`

export type McpCommand = { command: string; args: string[] }

/** The command line of the tiny MCP server. The `mcp` scenario expects it under the server name `tiny`. */
export const tinyMcpServer = (): McpCommand => ({ command: process.execPath, args: ['-e', source.trim()] })
