import type { DaemonAddress } from '../../client/index.ts'
import { API_PREFIX, STREAMS } from '../../contract/api/routes.ts'
import { TERMINAL_PROTOCOL, type TerminalInput, type TerminalMessage } from '../../contract/api/terminal.ts'
import { AgentMuxError } from '../../contract/errors.ts'

export interface TerminalViewOptions {
  address: DaemonAddress
  sessionId: string
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  /** What leaves the terminal to itself again, as the terminal sends it. */
  detachKey: string
  /** Look only. */
  readOnly: boolean
}

export type ViewEnd = 'detached' | 'ended' | 'lost'

const CLEAR = '\x1b[0m\x1b[2J\x1b[3J\x1b[H'
/** Off with all that an agent's screen may have switched on: alternate screen, mouse, focus, paste, keyboard modes. */
const RESET =
  '\x1b[?1049l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[<u\x1b[>4;0m\x1b[?25h\x1b[0m\r\n'

/** Shows an agent's own screen in this terminal, and types into it, until the detach key or its end. */
export async function viewTerminal(options: TerminalViewOptions): Promise<ViewEnd> {
  const { address, sessionId, stdin, stdout, detachKey, readOnly } = options
  const { WebSocket } = await import('ws')
  const path = STREAMS.terminal.path.replace('{id}', encodeURIComponent(sessionId))
  const headers = { authorization: `Bearer ${address.token}` }
  const socket = new WebSocket(address.url.replace('http', 'ws') + API_PREFIX + path, TERMINAL_PROTOCOL, { headers })
  const send = (input: TerminalInput) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(input))
  const resize = () => void send({ type: 'resize', cols: stdout.columns, rows: stdout.rows })
  return new Promise<ViewEnd>((resolve, reject) => {
    let end: ViewEnd = 'lost'
    const type = (chunk: Buffer) => {
      const text = chunk.toString('utf8')
      const at = text.indexOf(detachKey)
      if (!readOnly && at !== 0) send({ type: 'input', data: at < 0 ? text : text.slice(0, at) })
      if (at < 0) return
      end = 'detached'
      socket.close(1000)
    }
    socket.on('open', () => {
      stdin.setRawMode(true)
      stdin.on('data', type)
      stdin.resume()
      stdout.on('resize', resize)
      if (!readOnly) resize()
    })
    socket.on('message', (data) => {
      const message: TerminalMessage = JSON.parse(String(data))
      if (message.type === 'snapshot') stdout.write(CLEAR + message.data)
      else if (message.type === 'output') stdout.write(message.data)
      else if (message.type === 'ended') end = 'ended'
    })
    socket.on('unexpected-response', (request, response) => {
      request.destroy()
      reject(new AgentMuxError('RUN_NOT_ACTIVE', `The daemon refused to show it (${response.statusCode})`))
    })
    socket.on('error', reject)
    socket.on('close', () => {
      stdin.off('data', type)
      stdout.off('resize', resize)
      if (stdin.isRaw) {
        stdin.setRawMode(false)
        stdout.write(RESET)
      }
      stdin.pause()
      resolve(end)
    })
  })
}
