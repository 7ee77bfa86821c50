import { isAgentMuxError } from '../../contract/errors.ts'
import type { AgentName } from '../../contract/names.ts'
import { ensureCallback } from '../../hooks/callback.ts'
import { type FileChange, installHooks, uninstallHooks } from '../../hooks/install.ts'
import { exitCodeOfError } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { type Cell, headings, table } from '../table.ts'
import { type HookPlace, type InstallScope, installationOf, ownerOf, type PlannedAgent } from './places.ts'

export interface HookChange {
  action: 'install' | 'uninstall'
  agents: readonly PlannedAgent[]
  scope: InstallScope
  place: HookPlace
  dryRun?: boolean
}

interface Outcome {
  agent: AgentName
  changes: FileChange[]
  notes: string[]
  error?: { message: string; hint?: string }
}

/** One agent's broken settings do not keep the others from theirs; named alone, its error is the command's. */
export async function changeHooks(change: HookChange, output: Output): Promise<number> {
  const { agents, place, action, scope, dryRun = false } = change
  if (action === 'install' && !dryRun) await ensureCallback(place.dataDir)
  const outcomes: Outcome[] = []
  let exitCode = 0
  for (const planned of agents) {
    // An agent without hooks of this scope has nothing to do, unless it was asked for by its name.
    if (!planned.plan[scope] && agents.length > 1) continue
    try {
      outcomes.push(await changeOne(planned, change))
    } catch (error) {
      if (agents.length === 1) throw error
      exitCode = exitCodeOfError(error)
      outcomes.push({ agent: planned.agent, changes: [], notes: [], error: describe(error) })
    }
  }
  output.result({ dryRun, scope, outcomes }, render(outcomes, dryRun, output))
  return exitCode
}

async function changeOne(planned: PlannedAgent, { action, scope, place, dryRun }: HookChange): Promise<Outcome> {
  const installation = installationOf(planned, scope)
  const work = action === 'install' ? installHooks : uninstallHooks
  const owner = ownerOf(planned.agent, scope, place)
  const changes = await work({ owner, installation, dataDir: place.dataDir, dryRun })
  return { agent: planned.agent, changes, notes: action === 'install' ? (installation.notes ?? []) : [] }
}

function describe(error: unknown): { message: string; hint?: string } {
  const message = error instanceof Error ? error.message : String(error)
  return { message, hint: isAgentMuxError(error) ? error.hint : undefined }
}

function render(outcomes: readonly Outcome[], dryRun: boolean, output: Output): string {
  const rows = outcomes.flatMap(({ agent, changes, error }): (string | Cell)[][] => {
    if (error) return [[agent, { text: 'failed', style: 'red' }, error.message]]
    return changes.map(({ path, action }) => [agent, action, path])
  })
  if (rows.length === 0) return 'Nothing to do: no agent with hooks was found, or none of them is installed.'
  const header = headings(['AGENT', dryRun ? 'WOULD BE' : 'FILE', 'PATH'], { whole: ['AGENT'] })
  const notes = outcomes.flatMap(({ agent, notes, error }) => [
    ...notes.map((note) => `${agent}: ${note}\n`),
    ...(error?.hint ? [`${agent}: ${error.hint}\n`] : []),
  ])
  return table([header, ...rows], output.paint(), output.width) + notes.join('')
}
