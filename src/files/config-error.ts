import { AgentMuxError } from '../contract/errors.ts'
import type { KeyPath } from './values.ts'

export function configError(message: string, hint?: string): AgentMuxError {
  return new AgentMuxError('CONFIG_ERROR', message, { hint })
}

const WHY: Readonly<Record<string, string>> = {
  EACCES: 'may not be read or changed by you',
  EPERM: 'may not be read or changed by you',
  EROFS: 'is on a file system that is read-only',
  ELOOP: 'is a link that leads in a circle',
  ENOENT: 'is a link into a directory that is not there',
}

/** What the system says of a file, in words and with the name of the file as the user knows it. */
export function asConfigError(filePath: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    const why = WHY[error.code ?? '']
    throw why === undefined ? error : configError(`${filePath} ${why}`, `Look at ${filePath}; it was left as it is.`)
  }
}

/** Carries no text of the file and no cause that would: config files hold keys. */
export function parseFailure(filePath: string, problem: string, line: number, column: number): AgentMuxError {
  return configError(
    `${filePath}:${line}:${column} cannot be read: ${problem}`,
    `Correct ${filePath} by hand; it was left as it is.`,
  )
}

export function notATable(filePath: string, keyPath: KeyPath): AgentMuxError {
  return configError(
    `${keyPath.join('.')} in ${filePath} is not a table, so nothing can be set below it`,
    'Remove or rename that setting first.',
  )
}

export function notAList(filePath: string, keyPath: KeyPath): AgentMuxError {
  return configError(
    `${keyPath.join('.')} in ${filePath} is not a list, so nothing can be added to it`,
    `Correct ${filePath} by hand; it was left as it is.`,
  )
}

/** The last line of defence of an editor: what it made does not mean what was asked for. */
export function editRefused(filePath: string, keyPath: KeyPath): AgentMuxError {
  return configError(
    `${keyPath.join('.')} in ${filePath} cannot be changed without touching something else`,
    `Make this change in ${filePath} by hand; it was left as it is.`,
  )
}

export function checkKeyPath(filePath: string, keyPath: KeyPath): void {
  if (keyPath.length === 0 || keyPath.includes('__proto__')) {
    throw configError(`"${keyPath.join('.')}" is not a setting that can be changed in ${filePath}`)
  }
}
