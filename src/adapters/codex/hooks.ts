import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { AdapterHooks, HookContext } from '../../contract/hooks.ts'
import { placeOf } from '../../core/agent-paths.ts'
import { tomlLiteral } from '../../files/toml-literal.ts'
import { hookEntries, hookGroups, readClaudeHook } from '../kit/hooks/claude-hooks.ts'
import { manifest } from './manifest.ts'

const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PermissionRequest',
  'Stop',
  'SessionEnd',
] as const

/** What the CLI calls the flags of a session, where it keeps for each hook whether the user trusts it. */
const SESSION_FLAGS = '/<session-flags>/config.toml'

/**
 * The CLI runs no hook that the user has not seen and trusted. Its flag that lifts this lifts it for every hook, those
 * of a cloned repository too. So our own are vouched for, one by one, in the same words in which the CLI would note it.
 */
function sessionFlags(context: HookContext): string[] {
  const groups = hookGroups(context, 'codex', EVENTS)
  const state: Record<string, object> = {}
  for (const [event, [group]] of Object.entries(groups)) {
    const label = event.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
    const [hook] = group?.hooks ?? []
    const identity = {
      event_name: label,
      hooks: [{ async: false, command: hook?.command, timeout: event === 'SessionEnd' ? 1 : 600, type: 'command' }],
      // The other events have no matcher, whatever is there.
      ...(group?.matcher === undefined ? {} : { matcher: group.matcher }),
    }
    const hash = createHash('sha256').update(JSON.stringify(identity)).digest('hex')
    state[`${SESSION_FLAGS}:${label}:0:0`] = { trusted_hash: `sha256:${hash}` }
  }
  return ['-c', `hooks=${tomlLiteral({ ...groups, state })}`]
}

export const hooks: AdapterHooks = {
  plan(context) {
    const { workspace } = context
    const entries = hookEntries(context, 'codex', EVENTS)
    const userDirectory = placeOf('~/.codex', manifest.directories, context)
    const trust = 'Codex runs them once you have looked at them with /hooks and trusted them.'
    return {
      agent: 'codex',
      events: EVENTS,
      launch: { args: sessionFlags(context), env: {}, files: [] },
      user: {
        files: [{ kind: 'shared', path: join(userDirectory, 'hooks.json'), format: 'json', entries }],
        notes: [trust],
        needsConsent: true,
      },
      workspace: {
        files: [{ kind: 'shared', path: join(workspace, '.codex', 'hooks.json'), format: 'json', entries }],
        needsConsent: true,
        notes: [trust, 'It reads those of a directory only when that directory is trusted.'],
      },
    }
  },
  read: readClaudeHook,
}
