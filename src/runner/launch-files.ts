import { createHash } from 'node:crypto'
import { linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { AgentMuxError } from '../contract/errors.ts'
import {
  type HiddenOptions,
  LAUNCH_FILES,
  type LaunchOptions,
  type LaunchResult,
  type LaunchSecrets,
  type LaunchSpec,
  type RunnerInfo,
} from '../contract/launch.ts'
import { atomicWrite } from '../files/atomic-write.ts'
import type { Redact } from './native-log.ts'
import { createRedactor } from './redaction.ts'

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

/**
 * Makes the launch's directory and its spec, without the secrets that stand in it. Fails when it exists. Returns the
 * options that are not whole there.
 */
export async function createLaunch(
  launchDir: string,
  spec: LaunchSpec,
  secrets: LaunchSecrets = {},
  env: NodeJS.ProcessEnv = {},
): Promise<HiddenOptions> {
  const { hidden, shown } = hideSecrets(spec.options, createRedactor(secrets, env))
  const names = Object.keys(hidden)
  const open = names.length === 0 ? spec : { ...spec, options: { ...spec.options, ...shown }, hidden: names }
  await mkdir(join(launchDir, '..'), { recursive: true, mode: 0o700 })
  await mkdir(launchDir, { mode: 0o700 })
  await writeFile(join(launchDir, LAUNCH_FILES.spec), JSON.stringify(open, null, 2), { mode: 0o600, flag: 'wx' })
  return hidden
}

/** Options with a secret in their text, as they are and as they may be written. */
function hideSecrets(options: LaunchOptions, redact: Redact): Record<'hidden' | 'shown', HiddenOptions> {
  const found = Object.entries(options).flatMap(([name, value]) => {
    const text = JSON.stringify(value) ?? ''
    const safe = redact(text)
    return safe === text ? [] : [{ name, value, safe }]
  })
  return {
    hidden: Object.fromEntries(found.map(({ name, value }) => [name, value])),
    shown: Object.fromEntries(found.map(({ name, safe }) => [name, JSON.parse(safe)])),
  }
}

/** A spec with its options as they were given. Throws when the runner was not given what is not in the file. */
export function wholeSpec(spec: LaunchSpec, hidden: HiddenOptions): LaunchSpec {
  const missing = (spec.hidden ?? []).filter((name) => !(name in hidden))
  if (missing.length === 0) return { ...spec, options: { ...spec.options, ...hidden } }
  throw new AgentMuxError(
    'CONFIG_ERROR',
    `Its ${missing.join(', ')} held a secret, and went with the daemon that had it`,
    {
      hint: 'Secrets are never written to disk: restore the session and say it again.',
    },
  )
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

/** Returns it as it was written. */
export async function writeResult(launchDir: string, result: LaunchResult, redact: Redact): Promise<LaunchResult> {
  const text = redact(JSON.stringify(result))
  await atomicWrite(join(launchDir, LAUNCH_FILES.result), `${text}\n`)
  return JSON.parse(text)
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
