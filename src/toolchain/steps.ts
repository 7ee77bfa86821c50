import { spawn } from 'node:child_process'
import { AgentMuxError } from '../contract/errors.ts'

/** Runs an install step to its end, and resolves to the end of its output, which is otherwise shown only when it fails. */
export function runStep(command: string, args: string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' })
    let output = ''
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-4000)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('error', (error) => reject(installError(command, args, error.message)))
    child.once('close', (code) => (code === 0 ? resolve(output) : reject(installError(command, args, output))))
  })
}

function installError(command: string, args: string[], output: string): AgentMuxError {
  return new AgentMuxError('SPAWN_ERROR', `\`${command} ${args.join(' ')}\` failed: ${output.trim()}`, {
    hint: 'Check that the registry can be reached, then try again; nothing half-installed was kept.',
  })
}
