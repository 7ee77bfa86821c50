import type { HostRequest, TerminalExit } from '../contract/dialogue.ts'
import type { Place, PlaceChild } from '../process/place.ts'
import { signalGroup } from '../process/signal.ts'

type CreateRequest = Extract<HostRequest, { type: 'terminal_create' }>

const DEFAULT_OUTPUT_BYTES = 1024 * 1024
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024
const KILL_AFTER_MS = 1000
/** How long the pipes are read after the command itself has exited: something that left its group may hold them. */
const DRAIN_MS = 300
/** A byte of UTF-8 that goes on with a character. */
const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** A command that an agent runs through us: in a process group of its own, with the last part of its output. */
export class HostTerminal {
  readonly exited: Promise<TerminalExit>
  readonly #child: PlaceChild
  readonly #limit: number
  #output = Buffer.alloc(0)
  #isTruncated = false
  #exit: TerminalExit | null = null

  static async start(
    place: Place,
    { command, args, outputByteLimit = DEFAULT_OUTPUT_BYTES }: CreateRequest,
    cwd: string,
    env: Record<string, string>,
  ): Promise<HostTerminal> {
    // Agents hand over either a program with its arguments or one line for a shell.
    const child = await place.spawn({ command, args, cwd, env, shell: args.length === 0 })
    return new HostTerminal(child, Math.min(outputByteLimit, MAX_OUTPUT_BYTES))
  }

  private constructor(child: PlaceChild, limit: number) {
    this.#limit = limit
    this.#child = child
    child.stdin.on('error', () => {}) // it may end before its input does
    child.stdin.end()
    child.stdout.on('data', (chunk: Buffer) => this.#keep(chunk))
    child.stderr.on('data', (chunk: Buffer) => this.#keep(chunk))
    this.exited = new Promise((resolve) => {
      const end = (exit: TerminalExit) => {
        this.#exit ??= exit
        resolve(this.#exit)
      }
      child.once('error', (error) => {
        this.#keep(Buffer.from(`${error.message}\n`))
        end({ exitCode: 127, signal: null })
      })
      const asItExited = () => end({ exitCode: child.exitCode, signal: child.signalCode })
      child.once('exit', () => setTimeout(asItExited, DRAIN_MS).unref())
      child.once('close', asItExited)
    })
  }

  get state(): { output: string; truncated: boolean; exit: TerminalExit | null } {
    return { output: this.#output.toString('utf8'), truncated: this.#isTruncated, exit: this.#exit }
  }

  /** TERM to the whole group, then KILL. */
  async end(): Promise<void> {
    if (this.#exit) return
    this.#signal('SIGTERM')
    const timer = setTimeout(() => this.#signal('SIGKILL'), KILL_AFTER_MS)
    await this.exited
    clearTimeout(timer)
    // What the command left in its group goes with it.
    this.#signal('SIGKILL')
  }

  #signal(signal: NodeJS.Signals): void {
    signalGroup(this.#child.pid, signal)
  }

  /** The newest bytes count; a cut never falls inside a character. */
  #keep(chunk: Buffer): void {
    const all = Buffer.concat([this.#output, chunk])
    if (all.length <= this.#limit) {
      this.#output = all
      return
    }
    this.#isTruncated = true
    let start = all.length - this.#limit
    while (isContinuation(all[start])) start += 1
    this.#output = all.subarray(start)
  }
}
