import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { findBinary } from './find-binary.ts'
import { launcher } from './launcher.ts'
import type { Place, PlaceChild, PlaceCommand } from './place.ts'

/** This machine. What few runs need is loaded with its first use. */
export const here: Place = {
  find: findBinary,
  spawn: startChild,
  pty: async (request) => (await import('./pty.ts')).startPty(request),
  run: async (...args) => (await import('./run-command.ts')).runCommand(...args),
  read: (path) => readFile(path, 'utf8'),
  write: async (path, content, isPrivate) => {
    await mkdir(dirname(path), { recursive: true, mode: isPrivate ? 0o700 : undefined })
    await writeFile(path, content, { mode: isPrivate ? 0o600 : undefined })
  },
}

async function startChild({ command, args, cwd, env, shell = false }: PlaceCommand): Promise<PlaceChild> {
  const launch = await launcher()
  const child: ChildProcess = launch(command, [...args], {
    ...{ cwd, env, shell },
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // Without a free file descriptor Node returns a child that has no pipes and reports the error on it.
  if (!hasPipes(child)) throw await once(child, 'error').then(([error]) => error)
  return child
}

function hasPipes(child: ChildProcess): child is ChildProcess & PlaceChild {
  return Boolean(child.stdin)
}
