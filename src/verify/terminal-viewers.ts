import { once } from 'node:events'
import { WebSocket } from 'ws'
import { API_PREFIX, STREAMS } from '../contract/api/routes.ts'
import { TERMINAL_PROTOCOL, type TerminalInput, type TerminalMessage } from '../contract/api/terminal.ts'
import type { ScreenText, TerminalSize } from '../contract/launch.ts'
import type { PtyExit, PtyProcess } from '../process/place.ts'
import { startPty } from '../process/pty.ts'
import { Screen } from '../runner/screen.ts'
import type { DaemonBench } from './daemon-bench.ts'

/** A screen as text, without what cannot be seen. */
export function visible({ lines }: Pick<ScreenText, 'lines'>): string {
  return lines
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n')
}

async function shown(screen: Screen): Promise<string> {
  return visible(await screen.settled(() => screen.text()))
}

/** Somebody at a terminal who runs `amux` in it. */
export class PersonViewer {
  readonly exited: Promise<PtyExit>
  readonly #pty: PtyProcess
  readonly #screen: Screen

  static async open(daemon: DaemonBench, size: TerminalSize, ...args: string[]): Promise<PersonViewer> {
    const [command = '', ...words] = daemon.commandLine(...args)
    const env = Object.fromEntries(
      Object.entries(daemon.env).flatMap(([name, value]) => (value ? [[name, value]] : [])),
    )
    const screen = await Screen.open(size, (text) => pty.write(text))
    const pty = await startPty({ command, args: words, cwd: daemon.dataDir, env: { ...env, TERM: 'xterm' }, ...size })
    pty.onData((text) => screen.write(text))
    return new PersonViewer(pty, screen)
  }

  private constructor(pty: PtyProcess, screen: Screen) {
    this.#pty = pty
    this.#screen = screen
    this.exited = pty.exited
  }

  shown(): Promise<string> {
    return shown(this.#screen)
  }

  press(keys: string): void {
    this.#pty.write(keys)
  }

  resize(size: TerminalSize): void {
    this.#screen.resize(size)
    this.#pty.resize(size)
  }
}

/** A page in a browser that shows a session's terminal. */
export class PageViewer {
  ended = false
  readonly #socket: WebSocket
  readonly #screen: Screen

  static async open(daemon: DaemonBench, id: string, size: TerminalSize): Promise<PageViewer> {
    const { url, token } = await daemon.address()
    const path = API_PREFIX + STREAMS.terminal.path.replace('{id}', id)
    const headers = { authorization: `Bearer ${token}` }
    const socket = new WebSocket(url.replace('http', 'ws') + path, TERMINAL_PROTOCOL, { headers })
    const viewer = new PageViewer(socket, await Screen.open(size, () => {}))
    await once(socket, 'message')
    return viewer
  }

  private constructor(socket: WebSocket, screen: Screen) {
    this.#socket = socket
    this.#screen = screen
    socket.on('error', () => {}) // `close` follows
    socket.on('message', (data) => this.#receive(JSON.parse(String(data))))
  }

  get size(): TerminalSize {
    return this.#screen.size
  }

  shown(): Promise<string> {
    return shown(this.#screen)
  }

  send(input: TerminalInput): void {
    this.#socket.send(JSON.stringify(input))
  }

  close(): void {
    this.#socket.close()
  }

  #receive(message: TerminalMessage): void {
    if (message.type === 'ended') this.ended = true
    if (message.type === 'snapshot' || message.type === 'resized') this.#screen.resize(message)
    if (message.type === 'snapshot' || message.type === 'output') this.#screen.write(message.data)
  }
}
