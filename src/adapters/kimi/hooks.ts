import { join } from 'node:path'
import type { AdapterHooks } from '../../contract/hooks.ts'
import { readClaudeHook } from '../../core/agent-hooks/claude-hooks.ts'
import { hookCommand } from '../../core/agent-hooks/command.ts'

const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'Notification',
  'Stop',
  'StopFailure',
  'SessionEnd',
] as const

export const hooks: AdapterHooks = {
  plan(context) {
    const { homeDir, env } = context
    const path = join(env.KIMI_CODE_HOME || join(homeDir, '.kimi-code'), 'config.toml')
    const entries = EVENTS.map((event) => ({
      keyPath: ['hooks'],
      as: 'item' as const,
      value: { event, command: hookCommand(context, 'kimi', event) },
    }))
    return { agent: 'kimi', events: EVENTS, user: { files: [{ kind: 'shared', path, format: 'toml', entries }] } }
  },
  read: readClaudeHook,
}
