import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { AgentMuxError } from '../contract/errors.ts'
import { isRecord } from '../core/json.ts'

const MAX_BYTES = 1024 * 1024
const PROFILE_FILE = /^[A-Za-z0-9_-]{1,64}\.json$/

/** The files of a project's directory that we read, relative to it. Nobody's consent covers any other. */
export function projectFiles(projectDir: string): string[] {
  const profiles = names(join(projectDir, 'profiles')).filter((name) => PROFILE_FILE.test(name))
  const config = names(projectDir).filter((name) => name === 'config.json')
  return [...config, ...profiles.sort().map((name) => `profiles/${name}`)]
}

/**
 * The text of a project's file; null when there is none. It must be a file of the project itself: a link could lead to
 * anything of the user's, and a pipe or a device would never end.
 */
export function readProjectFile(projectDir: string, file: string): string | null {
  const path = join(projectDir, file)
  for (const directory of [projectDir, dirname(path)]) {
    if (look(directory)?.isSymbolicLink()) throw refused(directory, 'is a link')
  }
  const found = look(path)
  if (!found) return null
  if (!found.isFile()) throw refused(path, 'is not a regular file')
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { size } = fstatSync(fd)
    if (size > MAX_BYTES) throw refused(path, `is larger than ${MAX_BYTES} bytes`)
    return readFileSync(fd, 'utf8')
  } finally {
    closeSync(fd)
  }
}

/** Changes with every byte of the project's settings. */
export function projectHash(projectDir: string): string {
  const hash = createHash('sha256')
  for (const file of projectFiles(projectDir)) {
    const text = readProjectFile(projectDir, file) ?? ''
    hash.update(`${file}\0${Buffer.byteLength(text)}\0${text}`)
  }
  return `sha256:${hash.digest('hex')}`
}

function names(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (isNowhere(error)) return []
    throw error
  }
}

function look(path: string): Stats | null {
  try {
    return lstatSync(path)
  } catch (error) {
    if (isNowhere(error)) return null
    throw error
  }
}

/** There is nothing, and below such a path there cannot be: that it is no working directory is reported on its own. */
const NOWHERE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'])

function isNowhere(error: unknown): boolean {
  return isRecord(error) && NOWHERE.has(error.code)
}

function refused(path: string, why: string): AgentMuxError {
  return new AgentMuxError('CONFIG_ERROR', `${path} ${why}, so it is not read`, {
    hint: 'Look at the file; it belongs to the project, not to you.',
  })
}
