import { dirname, join } from 'node:path'
import { type AdapterHooks, HOOK_MARK, type HookContext } from '../../contract/hooks.ts'
import { placeOf } from '../../core/agent-paths.ts'
import { isRecord } from '../../core/json.ts'
import { launchFile } from '../kit/hooks/launch-file.ts'
import { reading } from '../kit/hooks/reading.ts'
import { BUSY, DONE, type HookSigns, PROMPTED, runsTool, signOf } from '../kit/hooks/signs.ts'
import { spoolSource } from '../kit/hooks/spool-source.ts'
import { manifest } from './manifest.ts'

const EVENTS = [
  'before_agent_run',
  'before_tool_call',
  'after_tool_call',
  'before_agent_finalize',
  'agent_end',
] as const

/** A plugin: code that the agent loads into itself. Its own hook directories are for its gateway. */
function pluginSource(context: HookContext): string {
  return `${spoolSource(context, 'openclaw')}
const DETAILS = {
  before_agent_run: ({ prompt }) => ({ prompt }),
  before_tool_call: ({ toolName }) => ({ toolName }),
  before_agent_finalize: ({ lastAssistantMessage, model }) => ({ lastAssistantMessage, model }),
}

export default {
  id: ${JSON.stringify(HOOK_MARK)},
  register(api) {
    if (!isOurs) return
    for (const name of ${JSON.stringify(EVENTS)}) {
      try {
        api.on(name, (event, context) => {
          try {
            deliver(name, { sessionId: context?.sessionId ?? event?.sessionId, ...DETAILS[name]?.(event ?? {}) })
          } catch {}
        })
      } catch {}
    }
  },
}
`
}

const SIGNS: HookSigns = {
  before_agent_run: PROMPTED,
  before_tool_call: ({ toolName }) => runsTool(toolName),
  after_tool_call: BUSY,
  agent_end: DONE,
}

export const hooks: AdapterHooks = {
  plan(context) {
    const file = (name: string, content: string | object) =>
      launchFile(context, 'openclaw', join(HOOK_MARK, name), content)
    const source = file('index.js', pluginSource(context))
    const own = [
      source,
      file('package.json', {
        name: HOOK_MARK,
        version: '1.0.0',
        type: 'module',
        openclaw: { extensions: ['./index.js'] },
      }),
      file('openclaw.plugin.json', {
        id: HOOK_MARK,
        name: HOOK_MARK,
        description: 'Hands the hooks of a session to agent-mux.',
        configSchema: { type: 'object', additionalProperties: false, properties: {} },
      }),
    ]
    const path = placeOf('~/.openclaw/openclaw.json', manifest.directories, context)
    const entries = [
      { keyPath: ['plugins', 'load', 'paths'], as: 'item' as const, value: dirname(source.path) },
      {
        keyPath: ['plugins', 'entries', HOOK_MARK],
        as: 'value' as const,
        value: { enabled: true, hooks: { allowConversationAccess: true } },
      },
    ]
    return {
      agent: 'openclaw',
      events: EVENTS,
      user: { files: [...own, { kind: 'shared', path, format: 'json', entries }] },
    }
  },
  read(event, payload) {
    if (!isRecord(payload)) return null
    return reading(signOf(SIGNS, event, payload), { ...payload, answer: payload.lastAssistantMessage })
  },
}
