import { spawn } from 'node:child_process'
import { signalGroup } from '../process/signal.ts'

export interface Execution {
  stdout: string
  stderr: string
}

export interface ExecutionRequest {
  command: string
  args: readonly string[]
  env: Record<string, string>
  cwd: string
  /** Written to its stdin, which stays open until it ends. */
  stdin?: string
  /** End it as soon as it has printed this. */
  until?: RegExp
  timeoutMs?: number
}

/** Runs a CLI by itself, without an adapter, to see what it says. Whatever it has started is ended with it. */
export function execute(request: ExecutionRequest): Promise<Execution> {
  const { command, args, env, cwd, stdin, until, timeoutMs = 90_000 } = request
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, cwd, detached: true, stdio: 'pipe' })
    const output = { stdout: '', stderr: '' }
    const end = () => void signalGroup(child.pid, 'SIGKILL')
    const timer = setTimeout(end, timeoutMs)
    const collect = (name: keyof Execution) => (chunk: Buffer) => {
      output[name] += chunk.toString('utf8')
      if (until?.test(output.stdout)) end()
    }
    child.stdout.on('data', collect('stdout'))
    child.stderr.on('data', collect('stderr'))
    child.stdin.on('error', () => {})
    child.once('error', reject)
    child.once('close', () => {
      clearTimeout(timer)
      end()
      resolve(output)
    })
    if (stdin === undefined) child.stdin.end()
    else child.stdin.write(stdin)
  })
}
