import { execFileSync } from 'node:child_process'

const AS_ROOT = ['setpriv', '--inh-caps=-all', '--bounding-set=-all']

const isRoot = process.getuid?.() === 0

/** Permissions hold nobody back on Windows, and root only where it can give up its privileges. */
export const canBeRefused = process.platform !== 'win32' && (!isRoot || works(AS_ROOT))

/**
 * The words that run a program whom permissions hold back. Root stays root but without its privileges: another user
 * might not be able to enter the checkout, which may lie in a home of mode 0700.
 */
export function unprivileged(program: string, ...args: string[]): [command: string, args: string[]] {
  const [command = program, ...rest] = [...(isRoot ? AS_ROOT : []), program, ...args]
  return [command, rest]
}

function works([command = '', ...args]: readonly string[]): boolean {
  try {
    execFileSync(command, [...args, process.execPath, '--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
