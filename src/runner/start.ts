import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { AgentMuxError } from '../contract/errors.ts'
import { type HiddenOptions, LAUNCH_FILES, type LaunchSecrets, type RunnerState } from '../contract/launch.ts'
import { RUN_MARKER } from '../process/environment.ts'
import { createRedactor } from '../secrets/redaction.ts'
import { readAt } from './append-file.ts'
import { cancelLaunch } from './cancel.ts'
import { runnerState } from './state.ts'

/** What a runner needs little of. */
const NODE_FLAGS = ['--max-semi-space-size=2', '--no-warnings']

/** A machine under load may take seconds to start a program; one that takes longer than this will not. */
const PATIENCE_MS = 30_000
/** The pipe closes a moment before the process is gone. */
const EXIT_MS = 2000

/** Of the session that this daemon was started from, if any: they would mark this runner as part of it. */
const FOREIGN_MARKS = [RUN_MARKER, 'AMUX_SESSION_ID', 'AMUX_LAUNCH']

/**
 * Starts the detached runner of a launch and resolves when it can be talked to or has ended. `env` is the whole
 * environment of the runner, of which the agent gets what it may see. Rejects when there was no claim, with the reason.
 */
export async function startRunner(
  launchDir: string,
  secrets: LaunchSecrets,
  env: NodeJS.ProcessEnv,
  hidden?: HiddenOptions,
  patienceMs = PATIENCE_MS,
): Promise<RunnerState> {
  const before = await runnerState(launchDir)
  if (before.state !== 'never_started') return before // it was cancelled, or a runner has it
  const child = spawnRunner(launchDir, env)
  const gone = new Promise<string>((resolve, reject) => {
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `ended by ${signal}`))
    child.once('error', (error) =>
      reject(new AgentMuxError('SPAWN_ERROR', `The runner did not start: ${error.message}`)),
    )
  })
  const isReady = new Promise<void>((resolve) => {
    // It closes this pipe when it listens, and when it dies.
    const ready = child.stdio[3]
    ready?.once('close', resolve)
    ready?.on('error', () => {})
    if (ready && 'resume' in ready) ready.resume()
  })
  child.stdin?.on('error', () => {}) // it has ended already, which its state shows
  child.stdin?.end(JSON.stringify({ ...secrets, hidden }))
  await Promise.race([isReady, gone, sleep(patienceMs, undefined, { ref: false })])
  child.unref()
  const state = await runnerState(launchDir)
  if (state.state !== 'never_started') return state
  const how = await Promise.race([gone, sleep(EXIT_MS, `silent for ${patienceMs / 1000} s`, { ref: false })])
  const error = noClaim(how, createRedactor(secrets, env)(lastWords(launchDir)))
  const { code, message, hint } = error
  // From here on it cannot claim the launch any more, however late it comes.
  if (await cancelLaunch(launchDir, { code, message, hint })) throw error
  return runnerState(launchDir)
}

function spawnRunner(launchDir: string, given: NodeJS.ProcessEnv): ChildProcess {
  const log = openSync(join(launchDir, LAUNCH_FILES.log), 'a', 0o600)
  const main = fileURLToPath(new URL('../programs/runner.js', import.meta.url))
  const env = Object.fromEntries(Object.entries(given).filter(([name]) => !FOREIGN_MARKS.includes(name)))
  try {
    return spawn(process.execPath, [...NODE_FLAGS, main, launchDir], {
      ...{ cwd: launchDir, env, detached: true, windowsHide: true },
      stdio: ['pipe', 'ignore', log, 'pipe'],
    })
  } finally {
    closeSync(log)
  }
}

function noClaim(how: string, words: string): AgentMuxError {
  const said = words === '' ? '' : `: ${words}`
  return new AgentMuxError('SPAWN_ERROR', `The runner did not start the agent (${how})${said}`, {
    hint: 'The agent has not run. When the cause is gone, restore the session.',
  })
}

const TAIL_BYTES = 4096
const TAIL_LINES = 4

/** What the runner has complained about last. */
function lastWords(launchDir: string): string {
  try {
    const fd = openSync(join(launchDir, LAUNCH_FILES.log), constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const { size } = fstatSync(fd)
      const text = readAt(fd, Math.max(0, size - TAIL_BYTES), TAIL_BYTES).toString('utf8')
      const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^\s+at |^Node\.js v/.test(line))
      // Node prints an error with what it knows of it below, which says little on its own.
      const error = lines.findLastIndex((line) => /^\w*Error\b/.test(line))
      const first = error < 0 ? Math.max(0, lines.length - TAIL_LINES) : error
      return lines
        .slice(first, first + TAIL_LINES)
        .join('; ')
        .slice(0, 500)
    } finally {
      closeSync(fd)
    }
  } catch {
    return ''
  }
}
