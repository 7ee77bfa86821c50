import { AgentMuxError } from '../contract/errors.ts'
import type { AgentName } from '../contract/names.ts'
import type { AgentMuxClient } from '../mux/client.ts'
import { findLocations } from '../mux/defaults.ts'
import { tooOld } from '../mux/installed-version.ts'
import { findBinary } from '../process/find-binary.ts'

/** Refuses a CLI that is older than its adapter: it would fail later, and less clearly. */
export async function requireVersion(mux: AgentMuxClient, agent: AgentName, configDir?: string): Promise<void> {
  const info = mux.adapters.list().find((one) => one.agent === agent)
  const path = info ? findBinary(info.cliCommand, process.env) : null
  if (info?.minVersion === undefined || path === null) return // a missing binary is reported by the run itself
  const { configDir: directory } = findLocations({ configDir }, process.env, process.cwd())
  const reason = await tooOld(info, await mux.adapters.load(agent), { env: process.env, configDir: directory })
  if (reason === null) return
  const [install] = mux.adapters.installInstructions(agent)
  const hint = install ? `Update it with: ${install.command}` : undefined
  throw new AgentMuxError('AGENT_NOT_INSTALLED', reason, { hint })
}
