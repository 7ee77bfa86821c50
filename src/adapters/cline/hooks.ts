import { join } from 'node:path'
import { type AdapterHooks, HOOK_MARK, type HookContext, type OwnHookFile } from '../../contract/hooks.ts'
import { hookCommand } from '../../core/agent-hooks/command.ts'
import { reading } from '../../core/agent-hooks/reading.ts'
import { BUSY, DONE, type HookSigns, PROMPTED, runsTool, signOf } from '../../core/agent-hooks/signs.ts'
import { asRecord, isRecord } from '../../core/json.ts'

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

const SIGNS: HookSigns = {
  TaskStart: PROMPTED,
  TaskResume: PROMPTED,
  PreToolUse: ({ preToolUse }) => runsTool(asRecord(preToolUse)?.toolName),
  PostToolUse: BUSY,
  TaskComplete: DONE,
  TaskCancel: DONE,
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
    return reading(signOf(SIGNS, event, payload), {
      sessionId: asRecord(payload.sessionContext)?.rootSessionId,
      answer: asRecord(payload.turn)?.outputText,
    })
  },
}
