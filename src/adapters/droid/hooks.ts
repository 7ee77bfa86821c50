import type { AdapterHooks } from '../../contract/hooks.ts'
import { placeOf } from '../../core/agent-paths.ts'
import { hookEntries, hookGroups, readClaudeHook } from '../kit/hooks/claude-hooks.ts'
import { launchFile } from '../kit/hooks/launch-file.ts'
import { manifest } from './manifest.ts'

const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'Notification',
  'Stop',
  'SessionEnd',
] as const

export const hooks: AdapterHooks = {
  plan(context) {
    const settings = launchFile(context, 'droid', 'settings.json', { hooks: hookGroups(context, 'droid', EVENTS) })
    const entries = hookEntries(context, 'droid', EVENTS)
    return {
      agent: 'droid',
      events: EVENTS,
      launch: { args: ['--settings', settings.path], onceFlag: '--settings', env: {}, files: [settings] },
      user: {
        files: [
          {
            kind: 'shared',
            path: placeOf('~/.factory/settings.json', manifest.directories, context),
            format: 'json',
            entries,
          },
        ],
      },
    }
  },
  read: readClaudeHook,
}
