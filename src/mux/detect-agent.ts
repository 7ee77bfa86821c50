import type { AgentAdapter } from '../contract/adapter.ts'
import type { InstalledAgentInfo } from '../contract/registry.ts'
import { meetsVersion } from '../core/version.ts'
import { findBinary } from '../process/find-binary.ts'
import { probeVersion } from '../process/probe-version.ts'
import type { RegisteredAgent } from './registry.ts'

/** Probes one agent. Never rejects: what cannot be found out is null or `unknown`. */
export async function detectAgent(entry: RegisteredAgent): Promise<InstalledAgentInfo> {
  const minVersion = entry.minVersion ?? ''
  const cliPath = findBinary(entry.cliCommand, process.env)
  const adapter = await entry.load().catch(() => null)
  const [found, auth, activeModel] = await Promise.all([
    findInstallation(adapter, cliPath),
    readAuth(adapter),
    readModel(adapter),
  ])
  const version = found.version
  return {
    agent: entry.agent,
    installed: found.installed,
    cliPath: found.path,
    version,
    meetsMinVersion: version !== null && (minVersion === '' || meetsVersion(version, minVersion)),
    minVersion,
    ...auth,
    activeModel,
  }
}

interface Installation {
  installed: boolean
  path: string | null
  version: string | null
}

async function findInstallation(adapter: AgentAdapter | null, cliPath: string | null): Promise<Installation> {
  if (adapter?.detectInstallation) {
    try {
      const { installed, path = cliPath, version = null } = await adapter.detectInstallation()
      return { installed, path, version }
    } catch {
      return { installed: false, path: null, version: null }
    }
  }
  if (cliPath === null) return { installed: false, path: null, version: null }
  return { installed: true, path: cliPath, version: await readVersion(adapter, cliPath) }
}

async function readVersion(adapter: AgentAdapter | null, cliPath: string): Promise<string | null> {
  if (!adapter?.detectVersion) return probeVersion(cliPath, adapter?.manifest?.versionArgs)
  try {
    return await adapter.detectVersion()
  } catch {
    return null
  }
}

type AuthInfo = Pick<InstalledAgentInfo, 'authState' | 'authReason'>

async function readAuth(adapter: AgentAdapter | null): Promise<AuthInfo> {
  if (adapter === null) return { authState: 'unknown', authReason: 'its adapter cannot be loaded' }
  try {
    const { status, details } = await adapter.detectAuth()
    return status === 'unknown' ? { authState: status, authReason: details } : { authState: status }
  } catch (error) {
    return { authState: 'unknown', authReason: error instanceof Error ? error.message : String(error) }
  }
}

async function readModel(adapter: AgentAdapter | null): Promise<string | null> {
  try {
    return (await adapter?.readConfig())?.model ?? adapter?.defaultModelId ?? null
  } catch {
    return adapter?.defaultModelId ?? null
  }
}
