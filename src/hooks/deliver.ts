import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isatty } from 'node:tty'
import { dataDirectory, homeDirectory } from '../files/data-dir.ts'
import { PARTIAL, WHOLE, writeHeader } from './spool-entry.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * What the installed script does, in Node: for Windows, and by hand. Runs inside the agent's own loop, so it imports
 * next to nothing, waits for nothing and never fails.
 */
export function deliverHook(args: readonly string[], env: Environment = process.env): void {
  const [adapter = '', event = '', answer] = args
  if (answer) process.stdout.write(`${answer}\n`)
  const sessionId = env.AMUX_SESSION_ID
  if (!sessionId || /[/\\\s]/.test(sessionId)) return
  const dataDir = dataDirectory(env.AGENT_MUX_CONFIG_DIR || join(homeDirectory(env), '.agent-mux'), env)
  try {
    const payload = isatty(0) ? '' : readFileSync(0)
    const launch = Number(env.AMUX_LAUNCH) || 0
    const directory = join(dataDir, 'spool')
    const base = join(directory, `${sessionId}.${launch}.${Date.now()}.${process.pid}`)
    // As the script does: a data directory that is gone is not made again. (Made with all its parents, Node 20 would
    // never return below /proc.)
    if (!existsSync(directory)) mkdirSync(directory, { mode: 0o700 })
    writeFileSync(base + PARTIAL, writeHeader({ adapter, event, sessionId, launch }), { mode: 0o600, flag: 'wx' })
    appendFileSync(base + PARTIAL, payload)
    renameSync(base + PARTIAL, base + WHOLE)
  } catch (error) {
    logFailure(dataDir, `${adapter} ${event} ${sessionId}: ${error instanceof Error ? error.message : error}`)
  }
}

function logFailure(dataDir: string, message: string): void {
  try {
    appendFileSync(join(dataDir, 'hooks.log'), `${new Date().toISOString()} ${message}\n`, { mode: 0o600 })
  } catch {
    // Nowhere to say it, and the agent must not notice.
  }
}
