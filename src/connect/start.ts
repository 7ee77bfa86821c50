import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AgentMuxError } from '../contract/errors.ts'
import { makeOwnData } from '../daemon/own-data.ts'
import type { DaemonPlaces } from './places.ts'

const TAIL_LINES = 5

export interface StartedDaemon {
  /** Rejects when the process has ended before it served; never resolves else. */
  failed: Promise<never>
}

/** `amux serve` in a session of its own: it outlives us and this terminal. */
export function startDetached({ dataDir, configDir }: DaemonPlaces): StartedDaemon {
  makeOwnData(dataDir)
  const outputPath = join(dataDir, 'serve.out')
  const output = openSync(outputPath, 'w', 0o600)
  const program = fileURLToPath(new URL('../../bin/amux.js', import.meta.url))
  const child = spawn(process.execPath, [program, 'serve', '--config-dir', configDir], {
    cwd: dataDir, // not ours: it must not hold a directory that the user may want to remove
    env: { ...process.env, AGENT_MUX_DATA_DIR: dataDir },
    detached: true,
    windowsHide: true,
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  child.unref()
  const failed = new Promise<never>((_, reject) => {
    child.once('error', (error) => reject(failure(error.message)))
    // One that found another serving leaves with success, and that other one is found.
    child.once('exit', (code) => {
      if (code !== 0) reject(failure(lastLines(outputPath)))
    })
  })
  failed.catch(() => {}) // those who wait for it get the error
  return { failed }
}

function failure(why: string): AgentMuxError {
  return new AgentMuxError('CONFIG_ERROR', `The daemon did not start: ${why}`, {
    hint: '`amux serve` in the foreground shows what it does.',
  })
}

function lastLines(path: string): string {
  const said = readFileSync(path, 'utf8')
    .trim()
    .replace(/^amux: /, '')
  return said.split('\n').slice(-TAIL_LINES).join('\n') || 'it said nothing'
}
