import { join } from 'node:path'
import type { AdapterHooks } from '../../contract/hooks.ts'
import { hookEntries, hookGroups, readClaudeHook } from '../../core/agent-hooks/claude-hooks.ts'
import { launchFile } from '../../core/agent-hooks/launch-file.ts'

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
    const { homeDir } = context
    const settings = launchFile(context, 'droid', 'settings.json', { hooks: hookGroups(context, 'droid', EVENTS) })
    const entries = hookEntries(context, 'droid', EVENTS)
    return {
      agent: 'droid',
      events: EVENTS,
      launch: { args: ['--settings', settings.path], onceFlag: '--settings', env: {}, files: [settings] },
      user: { files: [{ kind: 'shared', path: join(homeDir, '.factory', 'settings.json'), format: 'json', entries }] },
    }
  },
  read: readClaudeHook,
}
