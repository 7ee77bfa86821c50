import type { DaemonClient } from '../../client/index.ts'
import type { Output } from '../output.ts'
import { own } from '../terminal-text.ts'

const ENTER = '\x1b[?1049h\x1b[?25l'
const LEAVE = '\x1b[?25h\x1b[?1049l'
/** To the top, with what is right of each line and below the last one cleared: nothing flickers. */
const HOME = '\x1b[H'
const END_OF_LINE = '\x1b[K'
const END_OF_SCREEN = '\x1b[J'
/** In raw mode ^C and ^D come as characters. */
const LEAVING: ReadonlySet<string> = new Set(['q', '\x03', '\x04'])
/** Ages grow also when nothing happens. */
const TICK_MS = 1000
/** Changes come in bursts. */
const SETTLE_MS = 100

export interface WatchOptions {
  client: DaemonClient
  output: Output
  /** The whole picture, as text. */
  draw(): Promise<string>
}

/** Draws a list again whenever something changes, on a screen of its own, until ^C or q. */
export async function watchList({ client, output, draw }: WatchOptions): Promise<void> {
  const { stdin, stdout } = process
  const stop = new AbortController()
  const end = () => stop.abort()
  output.onClosed(end)
  let wake: () => void = () => {}
  const onKey = (chunk: Buffer) => (LEAVING.has(chunk.toString()) ? end() : wake())
  process.once('SIGINT', end).once('SIGTERM', end).once('SIGHUP', end)
  stdout.on('resize', () => wake())
  if (stdin.isTTY) stdin.setRawMode(true).on('data', onKey).resume()
  stop.signal.addEventListener('abort', () => wake())
  output.write(own(ENTER))
  const followed = follow(client, stop.signal, () => wake())
  try {
    while (!stop.signal.aborted) {
      output.write(screenOf(await draw(), stdout.rows || 24))
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, TICK_MS)
        wake = () => {
          clearTimeout(timer)
          setTimeout(resolve, stop.signal.aborted ? 0 : SETTLE_MS)
        }
      })
    }
  } finally {
    end()
    output.write(own(LEAVE))
    if (stdin.isTTY) stdin.setRawMode(false).off('data', onKey).pause()
    process.off('SIGINT', end).off('SIGTERM', end).off('SIGHUP', end)
    await followed
  }
}

/** As many lines as there is room for. */
export function screenOf(text: string, rows: number): string {
  const lines = text.trimEnd().split('\n')
  const shown = lines.length > rows ? [...lines.slice(0, rows - 1), `… ${lines.length - rows + 1} more`] : lines
  return own(HOME) + shown.join(`${own(END_OF_LINE)}\n`) + own(END_OF_LINE + END_OF_SCREEN)
}

async function follow(client: DaemonClient, signal: AbortSignal, changed: () => void): Promise<void> {
  try {
    const { lastId } = await client.call('health')
    for await (const change of client.changes({ after: lastId, signal })) {
      if (change.kind === 'session' || change.kind === 'removed') changed()
    }
  } catch {
    // It is drawn every second anyway, and says then what is wrong.
  }
}
