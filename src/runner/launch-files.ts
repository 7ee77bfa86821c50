import { randomUUID } from 'node:crypto'
import { linkSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
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
import { atomicWrite, syncDirectorySync } from '../files/atomic-write.ts'
import { DamagedFile, readOwnJson } from '../files/read-own-file.ts'
import type { Redact } from '../secrets/redact.ts'
import { createRedactor } from '../secrets/redaction.ts'
import { isInfo, isResult, isSpec } from './launch-shapes.ts'

/**
 * Makes the launch's directory and its spec, without the secrets that are in it. Fails when it exists. Returns the
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
  await atomicWrite(join(launchDir, LAUNCH_FILES.spec), JSON.stringify(open, null, 2))
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
  const spec = await readOwnJson(join(launchDir, LAUNCH_FILES.spec), isSpec)
  if (spec) return spec
  throw new DamagedFile(join(launchDir, LAUNCH_FILES.spec), 'it is missing')
}

export function readInfo(launchDir: string): Promise<RunnerInfo | null> {
  return readOwnJson(join(launchDir, LAUNCH_FILES.runner), isInfo)
}

export function readResult(launchDir: string): Promise<LaunchResult | null> {
  return readOwnJson(join(launchDir, LAUNCH_FILES.result), isResult)
}

/** Returns it as it was written. */
export async function writeResult(launchDir: string, result: LaunchResult, redact: Redact): Promise<LaunchResult> {
  const text = redact(JSON.stringify(result))
  await atomicWrite(join(launchDir, LAUNCH_FILES.result), `${text}\n`)
  return JSON.parse(text)
}

/**
 * Only the first that comes gets the launch: one runner, or a daemon that cancels it before a runner came. False for any
 * other. The file is whole from its first moment, and on the disk before anything follows from it.
 */
export function claimLaunch(launchDir: string, info: RunnerInfo): boolean {
  const path = join(launchDir, LAUNCH_FILES.runner)
  const temporary = `${path}.${process.pid}.${randomUUID()}`
  writeFileSync(temporary, JSON.stringify(info), { mode: 0o600, flush: true })
  try {
    linkSync(temporary, path)
    syncDirectorySync(launchDir)
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
