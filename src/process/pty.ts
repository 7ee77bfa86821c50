import { constants } from 'node:os'
import type { IPty, spawn } from '@lydell/node-pty'
import { AgentMuxError } from '../contract/errors.ts'
import type { PtyExit, PtyProcess, PtyRequest } from './place.ts'

/** Rejects with PTY_NOT_AVAILABLE where the optional package is missing. */
export async function startPty({ command, args, cwd, env, cols, rows }: PtyRequest): Promise<PtyProcess> {
  const start = await loadPty()
  const name = env.TERM ?? 'xterm-256color'
  return wrap(start(command, [...args], { name, cols, rows, cwd, env }))
}

async function loadPty(): Promise<typeof spawn> {
  try {
    return (await import('@lydell/node-pty')).spawn
  } catch (error) {
    throw packageMissing('@lydell/node-pty', error)
  }
}

/** Before anything is made: rejects with PTY_NOT_AVAILABLE where a terminal could not be started. */
export async function requireTerminals(): Promise<void> {
  await loadPty()
  await import('@xterm/headless').catch((error: unknown) => {
    throw packageMissing('@xterm/headless', error)
  })
}

/** An optional package is not there, or there is nothing in it for this machine. */
export function packageMissing(name: string, cause: unknown): AgentMuxError {
  const isThere = !(cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')
  const why = isThere ? `, which cannot be loaded here: ${cause instanceof Error ? cause.message : cause}` : ''
  return new AgentMuxError('PTY_NOT_AVAILABLE', `Terminals need the optional package ${name}${why}`, {
    hint: 'Install it with: npm install @lydell/node-pty @xterm/headless. Sessions without a terminal need nothing.',
    cause,
  })
}

function wrap(pty: IPty): PtyProcess {
  let isGone = false
  const exited = new Promise<PtyExit>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      isGone = true
      const name = signalName(signal)
      resolve({ exitCode: name === null ? exitCode : null, signal: name })
    })
  })
  return {
    pid: pty.pid,
    exited,
    onData: (listener) => void pty.onData(listener),
    write: (text) => {
      if (!isGone) pty.write(text)
    },
    resize: ({ cols, rows }) => {
      if (!isGone) pty.resize(cols, rows)
    },
    pause: () => pty.pause(),
    resume: () => pty.resume(),
  }
}

function signalName(number: number | undefined): string | null {
  if (!number) return null
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? `signal ${number}`
}
