import { join } from 'node:path'
import { type AdapterHooks, HOOK_MARK, type HookContext, type OwnHookFile } from '../../contract/hooks.ts'
import { placeOf } from '../../core/agent-paths.ts'
import { asRecord, isRecord } from '../../core/json.ts'
import { hookCommand } from '../kit/hooks/command.ts'
import { reading } from '../kit/hooks/reading.ts'
import { BUSY, DONE, type HookSigns, PROMPTED, runsTool, signOf } from '../kit/hooks/signs.ts'
import { manifest } from './manifest.ts'

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
    return {
      agent: 'cline',
      events: EVENTS,
      user: { files: programs(context, join(placeOf('~/.cline', manifest.directories, context), 'hooks')) },
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
