import type { AgentAdapter } from '../contract/adapter.ts'
import { meetsVersion } from '../core/version.ts'
import { findBinary } from '../process/find-binary.ts'
import { probeVersion } from '../process/probe-version.ts'
import { knownVersion } from './cli-version.ts'
import type { RegisteredAgent } from './registry.ts'

export interface VersionHost {
  env: Readonly<Record<string, string | undefined>>
  configDir: string
}

type Versioned = Pick<RegisteredAgent, 'cliCommand' | 'displayName' | 'minVersion' | 'source'>

/**
 * The version of the CLI that a run would start; null when it is missing or does not say. A registered adapter may
 * read it in a way of its own, so it is asked each time.
 */
async function installedVersion(
  { cliCommand, source }: Versioned,
  adapter: AgentAdapter,
  { env, configDir }: VersionHost,
): Promise<string | null> {
  const path = findBinary(cliCommand, env)
  if (source === 'plugin' && adapter.detectVersion) return adapter.detectVersion().catch(() => null)
  if (path === null) return null
  const args = adapter.manifest?.versionArgs
  return source === 'plugin' ? probeVersion(path, args) : knownVersion(path, configDir, args)
}

/** Says that the CLI is older than its adapter; null when it is not, or when nobody knows. */
export async function tooOld(entry: Versioned, adapter: AgentAdapter, host: VersionHost): Promise<string | null> {
  const { displayName, minVersion } = entry
  if (minVersion === undefined) return null
  const version = await installedVersion(entry, adapter, host)
  if (version === null || meetsVersion(version, minVersion)) return null
  return `${displayName} ${version} is too old: ${minVersion} or newer is needed`
}
