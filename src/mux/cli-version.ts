import { readFileSync, realpathSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { asString, isRecord, type JsonRecord } from '../core/json.ts'
import { atomicWrite } from '../files/atomic-write.ts'
import { probeVersion } from '../process/probe-version.ts'

/**
 * The version of a binary, asked only when the binary has changed: some CLIs take seconds to print it. Kept by path,
 * size and time of change in `<configDir>/cache/cli-versions.json`; a cache that cannot be used costs a probe.
 */
export async function knownVersion(
  path: string,
  configDir: string,
  args: readonly string[] = ['--version'],
): Promise<string | null> {
  const file = join(configDir, 'cache', 'cli-versions.json')
  const identity = identify(path)
  const cached = readCache(file)
  const known = asString(cached[identity])
  if (known !== undefined) return known
  const version = await probeVersion(path, args)
  if (version === null) return null
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await atomicWrite(file, `${JSON.stringify({ ...cached, [identity]: version }, null, 2)}\n`)
  } catch {
    // a home that cannot be written to: ask again next time
  }
  return version
}

function identify(path: string): string {
  const real = realpathSync(path)
  const { size, mtimeMs } = statSync(real)
  return `${real} ${size} ${Math.round(mtimeMs)}`
}

function readCache(file: string): JsonRecord {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
