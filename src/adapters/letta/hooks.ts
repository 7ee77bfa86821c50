import { join } from 'node:path'
import type { AdapterHooks } from '../../contract/hooks.ts'
import { placeOf } from '../../core/agent-paths.ts'
import { isRecord } from '../../core/json.ts'
import { field, hookEntries, readClaudeHook } from '../kit/hooks/claude-hooks.ts'
import { manifest } from './manifest.ts'

// Read from the code of CLI 0.25, where only the terminal interface runs them; not seen firing.
const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'Stop',
  'SessionEnd',
] as const

export const hooks: AdapterHooks = {
  plan(context) {
    const { workspace } = context
    const entries = hookEntries(context, 'letta', EVENTS)
    return {
      agent: 'letta',
      events: EVENTS,
      user: {
        files: [
          {
            kind: 'shared',
            path: placeOf('~/.letta/settings.json', manifest.directories, context),
            format: 'json',
            entries,
          },
        ],
      },
      workspace: {
        files: [{ kind: 'shared', path: join(workspace, '.letta', 'settings.local.json'), format: 'json', entries }],
      },
    }
  },
  read(event, payload) {
    if (!isRecord(payload)) return null
    return readClaudeHook(event, {
      ...payload,
      session_id: field(payload, 'conversation_id'),
      last_assistant_message: payload.assistant_message,
    })
  },
}
