import { join } from 'node:path'
import type { AdapterHooks } from '../../contract/hooks.ts'
import { placeOf } from '../../core/agent-paths.ts'
import { CLAUDE_EVENTS, hookEntries, hookGroups, readClaudeHook } from '../kit/hooks/claude-hooks.ts'
import { launchFile } from '../kit/hooks/launch-file.ts'
import { manifest } from './manifest.ts'

// Its settings and hooks have the form of Claude Code. Not seen firing: without an account it takes no prompt.
export const hooks: AdapterHooks = {
  plan(context) {
    const { workspace } = context
    const settings = launchFile(context, 'qoder', 'settings.json', {
      hooks: hookGroups(context, 'qoder', CLAUDE_EVENTS),
    })
    const entries = hookEntries(context, 'qoder', CLAUDE_EVENTS)
    return {
      agent: 'qoder',
      events: CLAUDE_EVENTS,
      launch: { args: ['--settings', settings.path], onceFlag: '--settings', env: {}, files: [settings] },
      user: {
        files: [
          {
            kind: 'shared',
            path: placeOf('~/.qoder/settings.json', manifest.directories, context),
            format: 'json',
            entries,
          },
        ],
      },
      workspace: {
        files: [{ kind: 'shared', path: join(workspace, '.qoder', 'settings.local.json'), format: 'json', entries }],
      },
    }
  },
  read: readClaudeHook,
}
