import type { DaemonAddress } from '../../client/index.ts'
import { API_PREFIX, STREAMS } from '../../contract/api/routes.ts'
import { TERMINAL_PROTOCOL, type TerminalInput, type TerminalMessage } from '../../contract/api/terminal.ts'
import { AgentMuxError } from '../../contract/errors.ts'
import { CLEAR_SCREEN, ENTER_SCREEN, LEAVE_SCREEN, ScreenFilter } from './own-screen.ts'

export interface TerminalViewOptions {
  address: DaemonAddress
  sessionId: string
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  /** What leaves the terminal to itself again, in every form that a terminal may send. */
  detachKey: RegExp
  /** Look only. */
  readOnly: boolean
}

const LEAVING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export type ViewEnd = 'detached' | 'ended' | 'lost'

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
    const filter = new ScreenFilter()
    const detach = () => {
      end = 'detached'
      socket.close(1000)
    }
    // The terminal has to be as it was, also when somebody else ends us, and a daemon that hangs is not waited for.
    const leave = () => {
      end = 'detached'
      socket.terminate()
    }
    for (const signal of LEAVING) process.on(signal, leave)
    const type = (chunk: Buffer) => {
      const text = chunk.toString('utf8')
      const at = text.search(detachKey)
      if (!readOnly && at !== 0) send({ type: 'input', data: at < 0 ? text : text.slice(0, at) })
      if (at >= 0) detach()
    }
    socket.on('open', () => {
      stdin.setRawMode(true)
      stdout.write(ENTER_SCREEN)
      stdin.on('data', type)
      stdin.resume()
      stdout.on('resize', resize)
      if (!readOnly) resize()
    })
    socket.on('message', (data) => {
      const message: TerminalMessage = JSON.parse(String(data))
      if (message.type === 'snapshot') stdout.write(CLEAR_SCREEN + filter.push(message.data))
      else if (message.type === 'output') stdout.write(filter.push(message.data))
      else if (message.type === 'ended') end = 'ended'
    })
    socket.on('unexpected-response', (request, response) => {
      request.destroy()
      reject(new AgentMuxError('RUN_NOT_ACTIVE', `The daemon refused to show it (${response.statusCode})`))
    })
    socket.on('error', reject)
    socket.on('close', () => {
      for (const signal of LEAVING) process.off(signal, leave)
      stdin.off('data', type)
      stdout.off('resize', resize)
      if (stdin.isRaw) {
        stdin.setRawMode(false)
        stdout.write(LEAVE_SCREEN)
      }
      stdin.pause()
      resolve(end)
    })
  })
}
