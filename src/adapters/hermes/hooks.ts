import { join } from 'node:path'
import type { Sign } from '../../contract/activity.ts'
import type { AdapterHooks } from '../../contract/hooks.ts'
import { hookCommand } from '../../core/agent-hooks/command.ts'
import { reading } from '../../core/agent-hooks/reading.ts'
import { asRecord, asString, isRecord, type JsonRecord } from '../../core/json.ts'

// From its source only: there is no hermes to run here. The directories of HOOK.yaml are for its gateway.
const EVENTS = [
  'on_session_start',
  'pre_llm_call',
  'pre_tool_call',
  'post_tool_call',
  'pre_approval_request',
  'post_approval_response',
  'post_llm_call',
  'on_session_end',
] as const

const DIALOG = 'approval'

function signOf(event: string, payload: JsonRecord): Sign | undefined {
  switch (event) {
    case 'on_session_start':
      return { state: 'active', detail: 'its session has begun' }
    case 'pre_llm_call':
      return { state: 'active', closes: true, detail: 'it was given a prompt' }
    case 'pre_tool_call':
      return { state: 'active', detail: `it runs ${asString(payload.tool_name) ?? 'a tool'}` }
    case 'post_tool_call':
      return { state: 'active' }
    case 'pre_approval_request':
      return { state: 'blocked', dialog: DIALOG, detail: asString(asRecord(payload.extra)?.description) }
    case 'post_approval_response':
      return { state: 'active', closes: DIALOG }
    // Comes at the end of every turn.
    case 'on_session_end':
      return { state: 'idle', closes: true }
    default:
      return undefined
  }
}

export const hooks: AdapterHooks = {
  plan(context) {
    const { homeDir, env } = context
    const path = join(env.HERMES_HOME || join(homeDir, '.hermes'), 'config.yaml')
    const entries = EVENTS.map((event) => ({
      keyPath: ['hooks', event],
      as: 'item' as const,
      value: { command: hookCommand(context, 'hermes', event) },
    }))
    return {
      agent: 'hermes',
      events: EVENTS,
      user: {
        files: [{ kind: 'shared', path, format: 'yaml', entries }],
        needsConsent: true,
        notes: ['Hermes asks once for leave to run them, or takes --accept-hooks.'],
      },
    }
  },
  read(event, payload) {
    if (!isRecord(payload)) return null
    const extra = asRecord(payload.extra)
    return reading(signOf(event, payload), {
      sessionId: payload.session_id,
      ...(event === 'pre_llm_call' && { prompt: extra?.user_message }),
      ...(event === 'post_llm_call' && { answer: extra?.assistant_response }),
    })
  },
}
