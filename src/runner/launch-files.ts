import { createHash } from 'node:crypto'
import { linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { AgentMuxError } from '../contract/errors.ts'
import { LAUNCH_FILES, type LaunchResult, type LaunchSpec, type RunnerInfo } from '../contract/launch.ts'
import { atomicWrite } from '../files/atomic-write.ts'

/** A path of a socket must fit into 104 bytes on macOS, 108 on Linux, with its end. */
const MAX_SOCKET_PATH = 103

/** Null when there is no such file. A file of ours that does not parse is an error with its name. */
async function readJson<T>(path: string): Promise<T | null> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  try {
    const value: T = JSON.parse(text)
    return value
  } catch (error) {
    throw new AgentMuxError('STORAGE_ERROR', `${path} is damaged`, { cause: error })
  }
}

/** Makes the launch's directory and its spec. Fails when it exists. */
export async function createLaunch(launchDir: string, spec: LaunchSpec): Promise<void> {
  await mkdir(join(launchDir, '..'), { recursive: true, mode: 0o700 })
  await mkdir(launchDir, { mode: 0o700 })
  await writeFile(join(launchDir, LAUNCH_FILES.spec), JSON.stringify(spec, null, 2), { mode: 0o600, flag: 'wx' })
}

export async function readSpec(launchDir: string): Promise<LaunchSpec> {
  const spec = await readJson<LaunchSpec>(join(launchDir, LAUNCH_FILES.spec))
  if (spec?.format === 1) return spec
  throw new AgentMuxError('STORAGE_ERROR', `${launchDir} holds no launch that this version knows`)
}

export function readInfo(launchDir: string): Promise<RunnerInfo | null> {
  return readJson<RunnerInfo>(join(launchDir, LAUNCH_FILES.runner))
}

export function readResult(launchDir: string): Promise<LaunchResult | null> {
  return readJson<LaunchResult>(join(launchDir, LAUNCH_FILES.result))
}

export function writeResult(launchDir: string, result: LaunchResult): Promise<void> {
  return atomicWrite(join(launchDir, LAUNCH_FILES.result), `${JSON.stringify(result)}\n`)
}

/** Only the first runner of a launch gets it: false for any other. The file is whole from its first moment. */
export function claimLaunch(launchDir: string, info: RunnerInfo): boolean {
  const path = join(launchDir, LAUNCH_FILES.runner)
  const temporary = `${path}.${info.runner.pid}`
  writeFileSync(temporary, JSON.stringify(info), { mode: 0o600 })
  try {
    linkSync(temporary, path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}

export function updateInfo(launchDir: string, info: RunnerInfo): Promise<void> {
  return atomicWrite(join(launchDir, LAUNCH_FILES.runner), JSON.stringify(info))
}

/** Beside the other files where the path is short enough; else in a private directory with a short name. */
export function socketPath(launchDir: string, launchId: string): string {
  const name = createHash('sha256').update(launchDir).digest('hex').slice(0, 16)
  if (process.platform === 'win32') return `\\\\.\\pipe\\amux-${launchId}-${name}`
  const path = join(launchDir, 'control.sock')
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH) return path
  const directory = join(tmpdir(), `amux-${userInfo().uid}`)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  return join(directory, `${name}.sock`)
}
