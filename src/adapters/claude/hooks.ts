import { join } from 'node:path'
import type { AdapterHooks } from '../../contract/hooks.ts'
import { placeOf } from '../../core/agent-paths.ts'
import { CLAUDE_EVENTS, hookEntries, hookGroups, readClaudeHook } from '../kit/hooks/claude-hooks.ts'
import { launchFile } from '../kit/hooks/launch-file.ts'
import { manifest } from './manifest.ts'

// `.claude/hooks.json`, which documents speak of, is not read by CLI 2.1.
export const hooks: AdapterHooks = {
  plan(context) {
    const { workspace } = context
    const settings = launchFile(context, 'claude', 'settings.json', {
      hooks: hookGroups(context, 'claude', CLAUDE_EVENTS),
    })
    const entries = hookEntries(context, 'claude', CLAUDE_EVENTS)
    const userDirectory = placeOf('~/.claude', manifest.directories, context)
    return {
      agent: 'claude',
      events: CLAUDE_EVENTS,
      launch: { args: ['--settings', settings.path], onceFlag: '--settings', env: {}, files: [settings] },
      user: { files: [{ kind: 'shared', path: join(userDirectory, 'settings.json'), format: 'json', entries }] },
      workspace: {
        files: [{ kind: 'shared', path: join(workspace, '.claude', 'settings.local.json'), format: 'json', entries }],
        notes: ['An interactive claude runs the hooks of a directory once the user has trusted it.'],
      },
    }
  },
  read: readClaudeHook,
}
