import { join } from 'node:path'
import type { AdapterHooks } from '../../contract/hooks.ts'
import { hookEntries, readClaudeHook } from '../../core/agent-hooks/claude-hooks.ts'

// Not seen firing: without an account it takes no prompt.
const EVENTS = ['SessionStart', 'PreToolUse', 'PostToolUse', 'Notification', 'Stop', 'SessionEnd'] as const

export const hooks: AdapterHooks = {
  plan(context) {
    const path = join(context.homeDir, '.augment', 'settings.json')
    const entries = hookEntries(context, 'auggie', EVENTS)
    return { agent: 'auggie', events: EVENTS, user: { files: [{ kind: 'shared', path, format: 'json', entries }] } }
  },
  read: readClaudeHook,
}
