import type { HookInstallation } from '../../contract/hooks.ts'
import { type InstallState, stateOf } from '../../hooks/install.ts'
import type { Output } from '../output.ts'
import { type Cell, headings, table } from '../table.ts'
import type { PlannedAgent } from './places.ts'

/** `-`: the agent has none of this kind. */
type Shown = InstallState | 'unreadable' | '-'

const STYLES: Partial<Record<Shown, Cell['style']>> = { installed: 'green', outdated: 'yellow', unreadable: 'red' }

export async function showStatus(agents: readonly PlannedAgent[], output: Output): Promise<number> {
  const rows = await Promise.all(
    agents.map(async ({ agent, plan, isInstalled }) => ({
      agent,
      isInstalled,
      bringsAlong: plan.launch !== undefined,
      user: await shownState(plan.user),
      workspace: await shownState(plan.workspace),
      events: plan.events,
      files: [...(plan.user?.files ?? []), ...(plan.workspace?.files ?? [])].map(({ path }) => path),
    })),
  )
  const titles = ['AGENT', 'HERE', 'OWN SESSIONS', 'USER', 'WORKSPACE']
  const header = headings(titles, { whole: ['AGENT'], optional: ['HERE', 'OWN SESSIONS'] })
  const cells = rows.map(({ agent, isInstalled, bringsAlong, user, workspace }) => [
    agent,
    isInstalled ? 'yes' : '-',
    bringsAlong ? 'brought along' : 'when installed',
    { text: user, style: STYLES[user] },
    { text: workspace, style: STYLES[workspace] },
  ])
  output.result(rows, table([header, ...cells], output.paint(), output.width))
  return 0
}

async function shownState(installation: HookInstallation | undefined): Promise<Shown> {
  if (!installation) return '-'
  // Whatever is wrong with the file is reported in full by `install`.
  return stateOf(installation).catch(() => 'unreadable' as const)
}
