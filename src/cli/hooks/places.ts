import { resolve } from 'node:path'
import type { HookInstallation, HookPlan, HookScope } from '../../contract/hooks.ts'
import type { AgentName } from '../../contract/names.ts'
import { dataDirectory } from '../../files/data-dir.ts'
import type { Owner } from '../../hooks/journal.ts'
import { hookContext } from '../../hooks/launch.ts'
import type { AgentMuxClient } from '../../mux/client.ts'
import { findLocations } from '../../mux/defaults.ts'
import { findBinary } from '../../process/find-binary.ts'
import { type GlobalValues, usageError } from '../command.ts'

export type InstallScope = Exclude<HookScope, 'launch'>

/** Where hooks are installed and kept on this machine. */
export interface HookPlace {
  dataDir: string
  workspace: string
}

export function hookPlace(flags: GlobalValues, cwd: string | undefined): HookPlace {
  const workspace = resolve(cwd ?? '.')
  const configDir = flags['config-dir'] === undefined ? undefined : resolve(flags['config-dir'])
  const locations = findLocations({ configDir }, process.env, workspace)
  return { dataDir: dataDirectory(locations.configDir, process.env), workspace }
}

export interface PlannedAgent {
  agent: AgentName
  plan: HookPlan
  isInstalled: boolean
}

/** The agents that have hooks: those named, or all. */
export async function plannedAgents(
  client: AgentMuxClient,
  place: HookPlace,
  names: readonly string[],
): Promise<PlannedAgent[]> {
  const context = hookContext(place.dataDir, place.workspace)
  const known = client.adapters.list()
  const planned: PlannedAgent[] = []
  for (const agent of names.length > 0 ? names : known.map((info) => info.agent)) {
    const adapter = await client.adapters.load(agent)
    const plan = adapter.planHooks?.(context)
    if (plan) planned.push({ agent, plan, isInstalled: findBinary(adapter.cliCommand, process.env) !== null })
    else if (names.length > 0)
      throw usageError(`${agent} has no hooks`, '`amux hooks status` lists the agents that do.')
  }
  return planned
}

export function ownerOf(agent: AgentName, scope: InstallScope, { workspace }: HookPlace): Owner {
  return scope === 'workspace' ? { agent, scope, workspace } : { agent, scope }
}

export function installationOf({ agent, plan }: PlannedAgent, scope: InstallScope): HookInstallation {
  const installation = plan[scope]
  if (installation) return installation
  const other = scope === 'user' ? 'workspace' : 'user'
  throw usageError(`${agent} has no hooks of scope ${scope}`, plan[other] && `It has some of scope ${other}.`)
}
