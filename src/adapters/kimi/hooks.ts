import type { AdapterHooks } from '../../contract/hooks.ts'
import { placeOf } from '../../core/agent-paths.ts'
import { CLAUDE_EVENTS, readClaudeHook } from '../kit/hooks/claude-hooks.ts'
import { hookCommand } from '../kit/hooks/command.ts'
import { manifest } from './manifest.ts'

export const hooks: AdapterHooks = {
  plan(context) {
    const path = placeOf('~/.kimi-code/config.toml', manifest.directories, context)
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
