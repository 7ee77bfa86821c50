import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { AgentMuxError } from '../contract/errors.ts'
import type {
  ControlAnswer,
  ControlCommand,
  ControlNotice,
  ControlResult,
  RunnerConnection,
} from '../contract/launch.ts'
import { LineSplitter } from '../core/lines.ts'
import { requireOwnSocket } from './socket-path.ts'
import { runnerState } from './state.ts'

/** A runner that has just started may not be listening yet. */
const CONNECT_TRIES = 50
const CONNECT_DELAY_MS = 40
/** A runner that is asked something and is silent for so long is asked whether it lives; then it has as long again. */
const SILENCE_MS = 4000

interface Waiting {
  resolve: (result: ControlResult) => void
  reject: (error: Error) => void
}

/** Rejects with RUN_NOT_ACTIVE when nobody listens. */
export async function connectRunner(launchDir: string, silenceMs = SILENCE_MS): Promise<RunnerConnection> {
  for (let tries = 1; ; tries++) {
    const state = await runnerState(launchDir)
    if (state.state !== 'alive') throw notActive(`it is ${state.state.replace('_', ' ')}`)
    requireOwnSocket(state.info.socket)
    const socket = await open(state.info.socket)
    if (socket) return new Connection(socket, silenceMs)
    if (tries >= CONNECT_TRIES) throw notActive(`nobody listens at ${state.info.socket}`)
    await sleep(CONNECT_DELAY_MS)
  }
}

function notActive(why: string): AgentMuxError {
  return new AgentMuxError('RUN_NOT_ACTIVE', `The runner cannot be reached: ${why}`)
}

function silent(ms: number): AgentMuxError {
  return new AgentMuxError('TIMEOUT', `The runner of this session has not answered for ${Math.round(ms / 1000)} s`, {
    recoverable: true,
    hint: 'It may be stopped, and act on this when it goes on. `amux kill` ends it in any case.',
  })
}

function open(path: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(socket))
    socket.once('error', () => resolve(null))
  })
}

class Connection implements RunnerConnection {
  readonly closed: Promise<void>
  readonly #socket: Socket
  readonly #waiting = new Map<number, Waiting>()
  readonly #listeners: ((notice: ControlNotice) => void)[] = []
  readonly #silenceMs: number
  #lastId = 0
  #timer: NodeJS.Timeout | undefined

  constructor(socket: Socket, silenceMs: number) {
    this.#socket = socket
    this.#silenceMs = silenceMs
    const lines = new LineSplitter()
    socket.on('data', (chunk) => {
      clearTimeout(this.#timer)
      for (const line of lines.push(chunk)) this.#receive(JSON.parse(line))
      this.#listen()
    })
    socket.on('error', () => {}) // `close` follows
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        clearTimeout(this.#timer)
        for (const { reject } of this.#waiting.values()) reject(notActive('the connection has ended'))
        this.#waiting.clear()
        resolve()
      })
    })
  }

  request(command: ControlCommand, key?: string): Promise<ControlResult> {
    if (this.#socket.destroyed) return Promise.reject(notActive('the connection has ended'))
    this.#lastId += 1
    const id = this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#socket.write(`${JSON.stringify({ id, key, ...command })}\n`)
      this.#listen()
    })
  }

  /** While an answer is due: first asks the runner for a sign of life, then gives up. */
  #listen(): void {
    clearTimeout(this.#timer)
    if (this.#waiting.size === 0) return
    this.#timer = setTimeout(() => {
      this.#lastId += 1
      this.#socket.write(`${JSON.stringify({ id: this.#lastId, command: 'status' })}\n`)
      this.#timer = setTimeout(() => this.#giveUp(), this.#silenceMs)
    }, this.#silenceMs)
  }

  #giveUp(): void {
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of waiting) reject(silent(2 * this.#silenceMs))
  }

  onNotice(listener: (notice: ControlNotice) => void): void {
    this.#listeners.push(listener)
  }

  close(): void {
    this.#socket.destroy()
  }

  #receive(message: ControlAnswer | ControlNotice): void {
    if ('notice' in message) {
      for (const listener of this.#listeners) listener(message)
      return
    }
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if (message.ok) waiting?.resolve(message.result)
    else waiting?.reject(new AgentMuxError(message.error.code, message.error.message, { hint: message.error.hint }))
  }
}
