import { join } from 'node:path'
import type { Sign } from '../../contract/activity.ts'
import type { AdapterHooks, HookReading } from '../../contract/hooks.ts'
import { isRecord } from '../../core/json.ts'
import { field, hookEntries, readClaudeHook } from '../kit/hooks/claude-hooks.ts'
import { geminiHome } from './home.ts'

const EVENTS = [
  'SessionStart',
  'BeforeAgent',
  'BeforeTool',
  'AfterTool',
  'Notification',
  'AfterAgent',
  'SessionEnd',
] as const

/** Its own names for events of Claude Code. */
const SAME_AS: Readonly<Record<string, string>> = {
  BeforeAgent: 'UserPromptSubmit',
  BeforeTool: 'PreToolUse',
  AfterTool: 'PostToolUse',
  AfterAgent: 'Stop',
}

/** A dialog is reported by a notification, without a word on which call it is for: any tool that has run closes it. */
const DIALOG = 'permission'

function read(event: string, payload: unknown): HookReading | null {
  if (!isRecord(payload)) return null
  const reading = readClaudeHook(SAME_AS[event] ?? event, {
    ...payload,
    last_assistant_message: payload.prompt_response,
  })
  const evidence = ownSign(event, field(payload, 'notification_type'), field(payload, 'message'))
  return evidence ? { ...reading, evidence } : reading
}

function ownSign(event: string, notification: string | undefined, detail: string | undefined): Sign | undefined {
  if (event === 'AfterTool') return { state: 'active', closes: DIALOG }
  if (event === 'Notification' && notification === 'ToolPermission') return { state: 'blocked', dialog: DIALOG, detail }
  return undefined
}

// No form for one launch: the settings that a variable can bring in must be root's own (CLI 0.61).
export const hooks: AdapterHooks = {
  plan(context) {
    const { homeDir, env, workspace } = context
    const entries = hookEntries(context, 'gemini', EVENTS)
    const trust = 'Gemini runs no hooks in a directory that is not trusted.'
    return {
      agent: 'gemini',
      events: EVENTS,
      user: {
        files: [{ kind: 'shared', path: join(geminiHome(env, homeDir), 'settings.json'), format: 'json', entries }],
        notes: [trust],
      },
      workspace: {
        files: [{ kind: 'shared', path: join(workspace, '.gemini', 'settings.json'), format: 'json', entries }],
        notes: [trust],
      },
    }
  },
  read,
}
