import { join } from 'node:path'
import type { Sign } from '../../contract/activity.ts'
import { type AdapterHooks, HOOK_MARK, type HookContext, type OwnHookFile } from '../../contract/hooks.ts'
import { hookCommand } from '../../core/agent-hooks/command.ts'
import { reading } from '../../core/agent-hooks/reading.ts'
import { asRecord, asString, isRecord, type JsonRecord } from '../../core/json.ts'

/** Its hooks are programs with the name of their event. */
const EVENTS = ['TaskStart', 'TaskResume', 'TaskCancel', 'TaskComplete', 'PreToolUse', 'PostToolUse'] as const

function programs(context: HookContext, directory: string): OwnHookFile[] {
  return EVENTS.map((event) => ({
    kind: 'own',
    path: join(directory, event),
    content: `#!/bin/sh\n# ${HOOK_MARK}: made by agent-mux.\nexec ${hookCommand(context, 'cline', event)}\n`,
    executable: true,
  }))
}

function signOf(event: string, payload: JsonRecord): Sign | undefined {
  switch (event) {
    case 'TaskStart':
    case 'TaskResume':
      return { state: 'active', closes: true, detail: 'it was given a prompt' }
    case 'PreToolUse':
      return { state: 'active', detail: `it runs ${asString(asRecord(payload.preToolUse)?.toolName) ?? 'a tool'}` }
    case 'PostToolUse':
      return { state: 'active' }
    case 'TaskComplete':
    case 'TaskCancel':
      return { state: 'idle', closes: true }
    default:
      return undefined
  }
}

// No form for one launch: its flag --hooks-dir does nothing in CLI 3.0.65.
export const hooks: AdapterHooks = {
  plan(context) {
    const { homeDir, env } = context
    return {
      agent: 'cline',
      events: EVENTS,
      user: { files: programs(context, join(env.CLINE_DIR || join(homeDir, '.cline'), 'hooks')) },
    }
  },
  read(event, payload) {
    if (!isRecord(payload)) return null
    return reading(signOf(event, payload), {
      sessionId: asRecord(payload.sessionContext)?.rootSessionId,
      answer: asRecord(payload.turn)?.outputText,
    })
  },
}
