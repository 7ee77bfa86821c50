import { join } from 'node:path'
import type { AdapterHooks } from '../../contract/hooks.ts'
import { placeOf } from '../../core/agent-paths.ts'
import { CLAUDE_EVENTS, hookEntries, hookGroups, readClaudeHook } from '../kit/hooks/claude-hooks.ts'
import { launchFile } from '../kit/hooks/launch-file.ts'
import { manifest } from './manifest.ts'

const DEFAULTS = 'QWEN_CODE_SYSTEM_DEFAULTS_PATH'

export const hooks: AdapterHooks = {
  plan(context) {
    const { env, workspace } = context
    // The lowest of its layers of settings, and the only one that a variable can bring in. Where there is one, it stays.
    const defaults = launchFile(context, 'qwen', 'settings.json', { hooks: hookGroups(context, 'qwen', CLAUDE_EVENTS) })
    const entries = hookEntries(context, 'qwen', CLAUDE_EVENTS)
    const launch = { args: [], env: { [DEFAULTS]: defaults.path }, files: [defaults] }
    return {
      agent: 'qwen',
      events: CLAUDE_EVENTS,
      ...(env[DEFAULTS] ? {} : { launch }),
      user: {
        files: [
          {
            kind: 'shared',
            path: placeOf('~/.qwen/settings.json', manifest.directories, context),
            format: 'json',
            entries,
          },
        ],
      },
      workspace: {
        files: [{ kind: 'shared', path: join(workspace, '.qwen', 'settings.json'), format: 'json', entries }],
      },
    }
  },
  read: readClaudeHook,
}
