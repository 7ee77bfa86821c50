import { join } from 'node:path'
import type { Sign } from '../../contract/activity.ts'
import { type AdapterHooks, HOOK_MARK, type HookContext, type HookReading } from '../../contract/hooks.ts'
import { placeOf } from '../../core/agent-paths.ts'
import { isRecord } from '../../core/json.ts'
import { field, readClaudeHook } from '../kit/hooks/claude-hooks.ts'
import { hookCommand } from '../kit/hooks/command.ts'
import { launchFile } from '../kit/hooks/launch-file.ts'
import { manifest } from './manifest.ts'

// Not `permissionRequest`: it also comes for calls that are allowed without asking. The notification is of the dialog.
const EVENTS = [
  'sessionStart',
  'userPromptSubmitted',
  'preToolUse',
  'postToolUse',
  'postToolUseFailure',
  'notification',
  'agentStop',
  'sessionEnd',
] as const

/** Its own names for events of Claude Code. */
const SAME_AS: Readonly<Record<string, string>> = {
  sessionStart: 'SessionStart',
  userPromptSubmitted: 'UserPromptSubmit',
  preToolUse: 'PreToolUse',
  notification: 'Notification',
  agentStop: 'Stop',
  sessionEnd: 'SessionEnd',
}

const DIALOG = 'permission'

function read(event: string, payload: unknown): HookReading | null {
  if (!isRecord(payload)) return null
  const reading = readClaudeHook(SAME_AS[event] ?? event, payload)
  const evidence = ownSign(event, field(payload, 'notification_type', 'notificationType'), field(payload, 'message'))
  return evidence ? { ...reading, evidence } : reading
}

function ownSign(event: string, notification: string | undefined, detail: string | undefined): Sign | undefined {
  if (event === 'postToolUse' || event === 'postToolUseFailure') return { state: 'active', closes: DIALOG }
  if (notification === 'permission_prompt') return { state: 'blocked', dialog: DIALOG, detail }
  return undefined
}

function hooksFile(context: HookContext): object {
  const list = (event: string) => [{ type: 'command', bash: hookCommand(context, 'copilot', event), timeoutSec: 10 }]
  return { version: 1, hooks: Object.fromEntries(EVENTS.map((event) => [event, list(event)])) }
}

export const hooks: AdapterHooks = {
  plan(context) {
    const content = `${JSON.stringify(hooksFile(context), null, 2)}\n`
    const plugin = launchFile(context, 'copilot', 'plugin.json', {
      name: HOOK_MARK,
      version: '1.0.0',
      description: 'Hands the hooks of a session to agent-mux.',
      hooks: 'hooks.json',
    })
    const listed = launchFile(context, 'copilot', 'hooks.json', content)
    const userDirectory = placeOf('~/.copilot', manifest.directories, context)
    return {
      agent: 'copilot',
      events: EVENTS,
      launch: { args: ['--plugin-dir', join(plugin.path, '..')], env: {}, files: [plugin, listed] },
      user: { files: [{ kind: 'own', path: join(userDirectory, 'hooks', `${HOOK_MARK}.json`), content }] },
    }
  },
  read,
}
