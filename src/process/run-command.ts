import type { Spawner } from '../contract/adapter.ts'
import { launcher } from './launcher.ts'

/** Gemini 0.61 takes two seconds of CPU for its `--version`: on a busy machine that is ten. */
const TIMEOUT_MS = 15_000
const MAX_OUTPUT = 1024 * 1024

/** A short command, for probes such as `--version`: bounded in time and output, its stdin closed. */
export const runCommand: Spawner = async (command, args, options = {}) => {
  const launch = await launcher()
  return new Promise((resolve, reject) => {
    const child = launch(command, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
      windowsHide: true,
    })
    const output = { stdout: '', stderr: '' }
    const collect = (name: 'stdout' | 'stderr') => (chunk: Buffer) => {
      if (output[name].length < MAX_OUTPUT) output[name] += chunk.toString('utf8')
    }
    child.stdout?.on('data', collect('stdout'))
    child.stderr?.on('data', collect('stderr'))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? -1, ...output }))
  })
}
