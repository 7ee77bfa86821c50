import { join } from 'node:path'
import type { AdapterHooks } from '../../contract/hooks.ts'
import { CLAUDE_EVENTS, hookEntries, hookGroups, readClaudeHook } from '../../core/agent-hooks/claude-hooks.ts'
import { launchFile } from '../../core/agent-hooks/launch-file.ts'

// Its settings and hooks have the form of Claude Code. Not seen firing: without an account it takes no prompt.
export const hooks: AdapterHooks = {
  plan(context) {
    const { homeDir, workspace } = context
    const settings = launchFile(context, 'qoder', 'settings.json', {
      hooks: hookGroups(context, 'qoder', CLAUDE_EVENTS),
    })
    const entries = hookEntries(context, 'qoder', CLAUDE_EVENTS)
    return {
      agent: 'qoder',
      events: CLAUDE_EVENTS,
      launch: { args: ['--settings', settings.path], onceFlag: '--settings', env: {}, files: [settings] },
      user: { files: [{ kind: 'shared', path: join(homeDir, '.qoder', 'settings.json'), format: 'json', entries }] },
      workspace: {
        files: [{ kind: 'shared', path: join(workspace, '.qoder', 'settings.local.json'), format: 'json', entries }],
      },
    }
  },
  read: readClaudeHook,
}
