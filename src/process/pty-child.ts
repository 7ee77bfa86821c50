import { EventEmitter } from 'node:events'
import { PassThrough, Readable, Writable } from 'node:stream'
import type { Place, PlaceChild, PlaceCommand, PtyProcess } from './place.ts'

/** Wide, so that programs that fold their lines do so late. */
const SIZE = { cols: 240, rows: 60 }
const END_OF_INPUT = '\x04'

/**
 * A program in a pseudo terminal, in the shape of a child process. What it prints on stderr is part of stdout, because
 * a terminal has one stream. The terminal echoes what is written to it unless the program turns that off.
 */
export async function spawnInPty(place: Place, given: PlaceCommand): Promise<PlaceChild> {
  const { command, args, cwd, env } = given.shell ? throughShell(given) : given
  const path = place.find(command, env)
  // The terminal would start, and only its exit code would show it.
  if (path === null) throw Object.assign(new Error(`spawn ${command} ENOENT`), { code: 'ENOENT' })
  return new PtyChild(await place.pty({ command: path, args, cwd, env, ...SIZE }))
}

function throughShell(given: PlaceCommand): PlaceCommand {
  return { ...given, command: '/bin/sh', args: ['-c', [given.command, ...given.args].join(' ')] }
}

class PtyChild extends EventEmitter implements PlaceChild {
  readonly pid: number
  readonly stdin: Writable
  readonly stdout = new PassThrough()
  readonly stderr = Readable.from([])
  exitCode: number | null = null
  signalCode: string | null = null

  constructor(pty: PtyProcess) {
    super()
    this.pid = pty.pid
    this.stdin = inputOf(pty)
    pty.onData((text) => {
      if (!this.stdout.write(text)) pty.pause()
    })
    this.stdout.on('drain', () => pty.resume())
    this.stdout.once('end', () => this.emit('close'))
    void pty.exited.then(({ exitCode, signal }) => {
      this.exitCode = exitCode
      this.signalCode = signal
      this.emit('exit')
      this.stdout.end()
    })
  }
}

/** A terminal has no end of input, only a key for it. It counts where a line begins; elsewhere it must be pressed twice. */
function inputOf(pty: PtyProcess): Writable {
  let isLineBegun = false
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const text = chunk.toString()
      pty.write(text)
      if (text !== '') isLineBegun = !text.endsWith('\n')
      done()
    },
    final(done) {
      pty.write(isLineBegun ? END_OF_INPUT.repeat(2) : END_OF_INPUT)
      done()
    },
  })
}
