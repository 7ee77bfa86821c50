import type { DaemonRunOptions } from '../../contract/api/run-options.ts'
import type { LaunchOptions, LaunchSecrets, LaunchSpec } from '../../contract/launch.ts'
import type { SessionRecord } from './record.ts'
import { addSessionUsage } from './record.ts'

/** What was asked for, told apart: what may lie on a disk, and what may not. */
export function splitOptions(options: DaemonRunOptions = {}): {
  open: SessionRecord['options']
  secrets: LaunchSecrets
} {
  const { env, mcpServers, endpoint, ...open } = options
  return { open: { keepOpen: true, ...open }, secrets: { env, mcpServers, endpoint } }
}

export function namesOf({ env, mcpServers, endpoint }: LaunchSecrets): SessionRecord['secretOptions'] {
  const given: Record<keyof LaunchSecrets, boolean> = {
    env: env !== undefined && Object.keys(env).length > 0,
    mcpServers: mcpServers !== undefined && mcpServers.length > 0,
    endpoint: endpoint !== undefined,
  }
  return (['env', 'mcpServers', 'endpoint'] as const).filter((name) => given[name])
}

/** The next launch of a session. */
export function launchSpec(
  session: SessionRecord,
  prompt: string,
  createdAt: number,
  more: Partial<LaunchOptions> = {},
): LaunchSpec {
  const launch = session.launch + 1
  return {
    format: 1,
    launchId: `${session.id}-${launch}`,
    sessionId: session.id,
    launch,
    agent: session.agent,
    createdAt,
    mode: session.mode,
    options: {
      ...session.options,
      cwd: session.workspace.path,
      maxCostUsd: budgetLeft(session),
      ...more,
      prompt,
    },
    terminal: session.terminal ?? undefined,
  }
}

/** A budget is for the whole session: a launch gets what those before it have left. */
export function budgetLeft(session: SessionRecord): number | undefined {
  const { maxCostUsd } = session.options
  if (maxCostUsd === undefined) return undefined
  return maxCostUsd - (addSessionUsage(session.earlier, session.current).costUsd ?? 0)
}
