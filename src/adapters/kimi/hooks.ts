import { join } from 'node:path'
import type { AdapterHooks } from '../../contract/hooks.ts'
import { CLAUDE_EVENTS, readClaudeHook } from '../../core/agent-hooks/claude-hooks.ts'
import { hookCommand } from '../../core/agent-hooks/command.ts'

export const hooks: AdapterHooks = {
  plan(context) {
    const { homeDir, env } = context
    const path = join(env.KIMI_CODE_HOME || join(homeDir, '.kimi-code'), 'config.toml')
    const entries = CLAUDE_EVENTS.map((event) => ({
      keyPath: ['hooks'],
      as: 'item' as const,
      value: { event, command: hookCommand(context, 'kimi', event) },
    }))
    return {
      agent: 'kimi',
      events: CLAUDE_EVENTS,
      user: { files: [{ kind: 'shared', path, format: 'toml', entries }] },
    }
  },
  read: readClaudeHook,
}
