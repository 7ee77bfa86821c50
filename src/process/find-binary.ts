import { accessSync, constants, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { searchPath } from './search-path.ts'

function isExecutable(path: string): boolean {
  try {
    if (!statSync(path).isFile()) return false
    accessSync(path, process.platform === 'win32' ? constants.F_OK : constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Absolute path of a command, or null. Synchronous, because `run()` has to report a missing binary before it returns. */
export function findBinary(command: string, env: Readonly<Record<string, string | undefined>>): string | null {
  const extensions = process.platform === 'win32' ? ['', ...(env.PATHEXT ?? '.EXE;.CMD;.BAT').split(';')] : ['']
  const isPath = command.includes('/') || (process.platform === 'win32' && command.includes('\\'))
  const directories = isPath ? [''] : searchPath(env.PATH ?? env.Path ?? '')
  for (const directory of directories) {
    for (const extension of extensions) {
      const path = isPath ? resolve(command + extension) : join(directory, command + extension)
      if (isExecutable(path)) return path
    }
  }
  return null
}
