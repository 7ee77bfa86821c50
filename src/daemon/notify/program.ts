import { spawn } from 'node:child_process'
import type { Notification } from '../../contract/api/change.ts'
import { signalGroup } from '../../process/signal.ts'

const TIMEOUT_MS = 10_000

/** Runs a program for a notification. Without a shell: the text of an agent stays text. */
export function runProgram(
  [program = '', ...args]: readonly string[],
  { kind, sessionId, agent, title, message }: Notification,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const env = {
    ...environment,
    AMUX_NOTIFY_KIND: kind,
    AMUX_NOTIFY_SESSION: sessionId,
    AMUX_NOTIFY_AGENT: agent,
    AMUX_NOTIFY_TITLE: title ?? '',
    AMUX_NOTIFY_MESSAGE: message,
  }
  return new Promise((resolve, reject) => {
    // In a group of its own, so that it ends with all that it has started.
    const child = spawn(program, args, { env, stdio: 'ignore', detached: true, windowsHide: true })
    const tooLong = setTimeout(() => {
      signalGroup(child.pid, 'SIGKILL')
      reject(new Error(`${program} took longer than ${TIMEOUT_MS / 1000} s and was ended`))
    }, TIMEOUT_MS)
    const settle = (error?: Error) => {
      clearTimeout(tooLong)
      if (error) reject(error)
      else resolve()
    }
    child.once('error', settle)
    child.once('exit', (code, signal) => {
      settle(code === 0 ? undefined : new Error(`${program} ended with ${code ?? signal}`))
    })
  })
}
