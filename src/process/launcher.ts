import { spawn } from 'node:child_process'

/** `cross-spawn` only where it is needed: npm's `.cmd` shims on Windows. */
export async function launcher(): Promise<typeof spawn> {
  return process.platform === 'win32' ? (await import('cross-spawn')).default.spawn : spawn
}
