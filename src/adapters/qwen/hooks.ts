import { join } from 'node:path'
import type { AdapterHooks } from '../../contract/hooks.ts'
import { placeOf } from '../../core/agent-paths.ts'
import { statusIn } from '../../core/failure-codes.ts'
import { isRecord, textOf } from '../../core/json.ts'
import { CLAUDE_EVENTS, hookEntries, hookGroups, readClaudeHook } from '../kit/hooks/claude-hooks.ts'
import { launchFile } from '../kit/hooks/launch-file.ts'
import { manifest } from './manifest.ts'

const DEFAULTS = 'QWEN_CODE_SYSTEM_DEFAULTS_PATH'

/** 0.24 names a failure by its own guess from status and words (a 403 is `billing_error`): a status says more. */
function withoutGuess(payload: unknown): unknown {
  if (!isRecord(payload)) return payload
  const { error: _guess, ...rest } = payload
  const words = textOf(rest.error_details) || textOf(rest.last_assistant_message)
  return statusIn(words) === undefined ? payload : rest
}

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
  read: (event, payload) => readClaudeHook(event, event === 'StopFailure' ? withoutGuess(payload) : payload),
}
