import { AgentMuxError } from '../contract/errors.ts'
import type { AgentName } from '../contract/names.ts'
import { meetsVersion } from '../core/version.ts'
import { knownVersion } from '../mux/cli-version.ts'
import type { AgentMuxClient } from '../mux/client.ts'
import { findLocations } from '../mux/defaults.ts'
import { findBinary } from '../process/find-binary.ts'

/** Refuses a CLI that is older than its adapter: it would fail later, and less clearly. */
export async function requireVersion(mux: AgentMuxClient, agent: AgentName, configDir?: string): Promise<void> {
  const info = mux.adapters.list().find((one) => one.agent === agent)
  const path = info ? findBinary(info.cliCommand, process.env) : null
  if (info?.minVersion === undefined || path === null) return // a missing binary is told by the run itself
  const { manifest } = await mux.adapters.load(agent)
  const locations = findLocations({ configDir }, process.env, process.cwd())
  const version = await knownVersion(path, locations.configDir, manifest?.versionArgs)
  if (version === null || meetsVersion(version, info.minVersion)) return
  const [install] = mux.adapters.installInstructions(agent)
  throw new AgentMuxError(
    'AGENT_NOT_INSTALLED',
    `${info.displayName} ${version} is too old: ${info.minVersion} or newer is needed`,
    { hint: install ? `Update it with: ${install.command}` : undefined },
  )
}
