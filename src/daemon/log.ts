import { renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pino, { type Logger } from 'pino'
import { redact } from '../secrets/redact.ts'

export type Log = Logger

const MAX_BYTES = 5 * 1024 * 1024

/** Fields that hold secrets wherever they are. */
const SECRET_FIELDS = ['token', 'apiKey', 'env', 'environment', 'headers', 'authorization', 'endpoint', 'mcpServers']

/** One JSON object a line. Prompts and events are not logged: they are in the database. */
export function openLog(dataDir: string, level = 'info'): Log {
  const path = join(dataDir, 'daemon.log')
  keepShort(path)
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      hooks: { streamWrite: redact },
      redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
    },
    pino.destination({ dest: path, sync: true, mode: 0o600 }),
  )
}

/** The log of yesterday is worth keeping, that of last year is not. */
function keepShort(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > MAX_BYTES) renameSync(path, `${path}.1`)
}
