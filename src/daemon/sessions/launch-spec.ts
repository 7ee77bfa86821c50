import type { DaemonRunOptions } from '../../contract/api/run-options.ts'
import type { LaunchOptions, LaunchSecrets, LaunchSpec } from '../../contract/launch.ts'
import { isSecret, SECRET_OPTIONS } from '../../contract/options.ts'
import type { SessionRecord } from './record.ts'
import { addSessionUsage } from './record.ts'

/** The request, split into what may be stored on disk and what may not. */
export function splitOptions(options: DaemonRunOptions = {}): {
  open: SessionRecord['options']
  secrets: LaunchSecrets
} {
  const entries = Object.entries(options)
  const open = Object.fromEntries(entries.filter(([name]) => !isSecret(name)))
  const secrets = Object.fromEntries(entries.filter(([name]) => isSecret(name)))
  return { open: { keepOpen: true, ...open }, secrets }
}

/** Of those that may hold secrets, the ones that are given. */
export function namesOf(secrets: LaunchSecrets): SessionRecord['secretOptions'] {
  return SECRET_OPTIONS.filter((name) => Object.keys(secrets[name] ?? {}).length > 0)
}

/** The next launch of a session. */
export function launchSpec(
  session: SessionRecord,
  prompt: string,
  createdAt: number,
  more: Partial<LaunchOptions> = {},
  launch = session.launch + 1,
): LaunchSpec {
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
