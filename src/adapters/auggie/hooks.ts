import type { AdapterHooks } from '../../contract/hooks.ts'
import { placeOf } from '../../core/agent-paths.ts'
import { hookEntries, readClaudeHook } from '../kit/hooks/claude-hooks.ts'
import { manifest } from './manifest.ts'

// Not seen firing: without an account it takes no prompt.
const EVENTS = ['SessionStart', 'PreToolUse', 'PostToolUse', 'Notification', 'Stop', 'SessionEnd'] as const

export const hooks: AdapterHooks = {
  plan(context) {
    const path = placeOf('~/.augment/settings.json', manifest.directories, context)
    const entries = hookEntries(context, 'auggie', EVENTS)
    return { agent: 'auggie', events: EVENTS, user: { files: [{ kind: 'shared', path, format: 'json', entries }] } }
  },
  read: readClaudeHook,
}
