import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentAdapter } from '../../contract/adapter.ts'
import { quoteWord } from '../../core/command-line.ts'
import { stateOf } from '../../hooks/install.ts'
import { hookContext } from '../../hooks/launch.ts'
import type { Output } from '../output.ts'
import type { HookPlace, InstallScope } from './places.ts'

/**
 * For an agent that takes hooks from installed settings only: says so, once for each agent and workspace, and how to
 * install them. Nothing when they are there, or when a launch brings them along.
 */
export async function offerHooks(adapter: AgentAdapter, place: HookPlace, output: Pick<Output, 'note'>): Promise<void> {
  const plan = adapter.planHooks?.(hookContext(place.dataDir, place.workspace))
  if (!plan || plan.launch) return
  for (const installation of [plan.user, plan.workspace]) {
    if (installation && (await stateOf(installation).catch(() => 'absent')) !== 'absent') return
  }
  const scope: InstallScope | null = plan.workspace ? 'workspace' : plan.user ? 'user' : null
  if (scope === null || !isFirst(adapter.agent, place)) return
  const where = scope === 'workspace' ? ` --scope workspace --cwd ${quoteWord(place.workspace)}` : ''
  output.note(
    `amux: ${adapter.displayName} takes hooks from its settings only, so its state is known from its output and screen. ` +
      `\`amux hooks install ${adapter.agent}${where}\` adds them.`,
  )
}

/** Remembers that it was said. Where that cannot be written it is not said: once is better than each time. */
function isFirst(agent: string, { dataDir, workspace }: HookPlace): boolean {
  const directory = join(dataDir, 'hook-offers')
  const file = join(directory, createHash('sha256').update(`${agent}\0${workspace}`).digest('hex').slice(0, 32))
  if (existsSync(file)) return false
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    writeFileSync(file, '', { mode: 0o600 })
    return true
  } catch {
    return false
  }
}
