import { join } from 'node:path'
import {
  type AdapterHooks,
  HOOK_MARK,
  type HookContext,
  type HookReading,
  type OwnHookFile,
} from '../../contract/hooks.ts'
import { isRecord } from '../../core/json.ts'
import { field, readClaudeHook } from '../kit/hooks/claude-hooks.ts'
import { hookCommand } from '../kit/hooks/command.ts'

// From the documents of Kiro CLI 3 only: there is no kiro-cli to run here. Before 3 hooks are in the file of an agent,
// which is the user's to choose; such a version does not read this file.
const EVENTS = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'] as const

function hookFile(context: HookContext, directory: string): OwnHookFile {
  const hooks = EVENTS.map((event) => ({
    name: `${HOOK_MARK} ${event}`,
    trigger: event,
    action: { type: 'command', command: hookCommand(context, 'kiro', event) },
    timeout: 5,
  }))
  return {
    kind: 'own',
    path: join(directory, '.kiro', 'hooks', `${HOOK_MARK}.json`),
    content: `${JSON.stringify({ version: 'v1', hooks }, null, 2)}\n`,
  }
}

/** The payload of Claude Code, but for the answer. */
function read(event: string, payload: unknown): HookReading | null {
  if (!isRecord(payload)) return null
  return readClaudeHook(event, {
    ...payload,
    last_assistant_message: field(payload, 'assistant_response', 'last_assistant_message'),
  })
}

export const hooks: AdapterHooks = {
  plan(context) {
    const at = (directory: string) => ({
      files: [hookFile(context, directory)],
      notes: ['Needs Kiro CLI 3: older versions take hooks from the file of an agent only.'],
    })
    return { agent: 'kiro', events: EVENTS, user: at(context.homeDir), workspace: at(context.workspace) }
  },
  read,
}
