import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AgentMuxError } from '../contract/errors.ts'
import { type HiddenOptions, LAUNCH_FILES, type LaunchSecrets, type RunnerState } from '../contract/launch.ts'
import { runnerState } from './state.ts'

/** What a runner needs little of. */
const NODE_FLAGS = ['--max-semi-space-size=2', '--no-warnings']

/**
 * Starts the detached runner of a launch and resolves when it can be talked to or has ended. `env` is the whole
 * environment of the runner, of which the agent gets what it may see.
 */
export async function startRunner(
  launchDir: string,
  secrets: LaunchSecrets,
  env: NodeJS.ProcessEnv,
  hidden?: HiddenOptions,
): Promise<RunnerState> {
  const log = openSync(join(launchDir, LAUNCH_FILES.log), 'a', 0o600)
  const main = fileURLToPath(new URL('./main.js', import.meta.url))
  const child = spawn(process.execPath, [...NODE_FLAGS, main, launchDir], {
    cwd: launchDir,
    env,
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'ignore', log, 'pipe'],
  })
  closeSync(log)
  await new Promise<void>((resolve, reject) => {
    const ready = child.stdio[3]
    child.once('error', (error) =>
      reject(new AgentMuxError('SPAWN_ERROR', `The runner did not start: ${error.message}`)),
    )
    // It closes this pipe when it listens, and when it dies.
    ready?.once('close', resolve)
    ready?.on('error', () => {})
    if (ready && 'resume' in ready) ready.resume()
    child.stdin?.on('error', () => {}) // it has ended already, which its state tells
    child.stdin?.end(JSON.stringify({ ...secrets, hidden }))
  })
  child.unref()
  return runnerState(launchDir)
}
