import type { AdapterHooks } from '../../contract/hooks.ts'
import { placeOf } from '../../core/agent-paths.ts'
import { asRecord, asString, isRecord } from '../../core/json.ts'
import { hookCommand } from '../kit/hooks/command.ts'
import { reading } from '../kit/hooks/reading.ts'
import { BUSY, DONE, type HookSigns, PROMPTED, runsTool, signOf } from '../kit/hooks/signs.ts'
import { manifest } from './manifest.ts'

// Of its config.yaml, as 0.19 has them. The directories of HOOK.yaml are for its gateway.
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

const SIGNS: HookSigns = {
  on_session_start: { state: 'active', detail: 'its session has begun' },
  pre_llm_call: PROMPTED,
  pre_tool_call: ({ tool_name }) => runsTool(tool_name),
  post_tool_call: BUSY,
  pre_approval_request: ({ extra }) => ({
    state: 'blocked',
    dialog: DIALOG,
    detail: asString(asRecord(extra)?.description),
  }),
  post_approval_response: { state: 'active', closes: DIALOG },
  // Comes at the end of every turn.
  on_session_end: DONE,
}

export const hooks: AdapterHooks = {
  plan(context) {
    const place = (name: string) => placeOf(`~/.hermes/${name}`, manifest.directories, context)
    const commands = EVENTS.map((event) => ({ event, command: hookCommand(context, 'hermes', event) }))
    const entries = commands.map(({ event, command }) => ({
      keyPath: ['hooks', event],
      as: 'item' as const,
      value: { command },
    }))
    // It runs only hooks that the user has allowed, each by its command; installing ours is that permission.
    const approvals = commands.map((value) => ({ keyPath: ['approvals'], as: 'item' as const, value }))
    return {
      agent: 'hermes',
      events: EVENTS,
      user: {
        files: [
          { kind: 'shared', path: place('config.yaml'), format: 'yaml', entries },
          { kind: 'shared', path: place('shell-hooks-allowlist.json'), format: 'json', entries: approvals },
        ],
      },
    }
  },
  read(event, payload) {
    if (!isRecord(payload)) return null
    const extra = asRecord(payload.extra)
    return reading(signOf(SIGNS, event, payload), {
      sessionId: payload.session_id,
      ...(event === 'pre_llm_call' && { prompt: extra?.user_message }),
      ...(event === 'post_llm_call' && { answer: extra?.assistant_response }),
    })
  },
}
