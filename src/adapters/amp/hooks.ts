import { join } from 'node:path'
import type { Sign } from '../../contract/activity.ts'
import { type AdapterHooks, HOOK_MARK, type HookContext, type OwnHookFile } from '../../contract/hooks.ts'
import { placeOf } from '../../core/agent-paths.ts'
import { isRecord, type JsonRecord, textOf } from '../../core/json.ts'
import { reading } from '../kit/hooks/reading.ts'
import { BEGUN, DONE, type HookSigns, PROMPTED, signOf } from '../kit/hooks/signs.ts'
import { spoolSource } from '../kit/hooks/spool-source.ts'
import { manifest } from './manifest.ts'

// From its documents (`amp plugins show-docs`) only: without an account the CLI runs no thread. `tool.call` is left alone,
// because its answer decides whether the tool may run.
const EVENTS = ['session.start', 'agent.start', 'tool.result', 'agent.end'] as const

/** A plugin: code that the CLI loads into itself. Without the first line it does not. */
function pluginSource(context: HookContext): string {
  return `// @i-know-the-amp-plugin-api-is-wip-and-very-experimental-right-now
${spoolSource(context, 'amp')}
function lastAnswer(messages) {
  const message = (Array.isArray(messages) ? messages : []).findLast((one) => one?.role === 'assistant')
  const parts = Array.isArray(message?.content) ? message.content : []
  return parts.filter((part) => part?.type === 'text').map((part) => part.text).join('')
}

const DETAILS = {
  'agent.start': ({ message }) => ({ prompt: message }),
  'tool.result': ({ tool }) => ({ tool }),
  'agent.end': ({ status, messages }) => ({ status, answer: lastAnswer(messages) }),
}

export default function (amp) {
  if (!isOurs) return
  for (const name of ${JSON.stringify(EVENTS)}) {
    try {
      amp.on(name, (event) => {
        deliver(name, { sessionId: event?.thread?.id, ...DETAILS[name]?.(event ?? {}) })
      })
    } catch {}
  }
}
`
}

function endSign({ status }: JsonRecord): Sign {
  return status === 'error' ? { ...DONE, ended: 'failed', detail: 'its turn has failed' } : { ...DONE }
}

const SIGNS: HookSigns = {
  'session.start': BEGUN,
  'agent.start': PROMPTED,
  'tool.result': ({ tool }) => ({ state: 'active', detail: `it has run ${textOf(tool) || 'a tool'}` }),
  'agent.end': endSign,
}

export const hooks: AdapterHooks = {
  plan(context) {
    const own = (directory: string): OwnHookFile => ({
      kind: 'own',
      path: join(directory, 'plugins', `${HOOK_MARK}.ts`),
      content: pluginSource(context),
    })
    const notes = ['Amp calls its plugins experimental: a version may not load this one.']
    const userDirectory = placeOf('~/.config/amp', manifest.directories, context)
    return {
      agent: 'amp',
      events: EVENTS,
      user: { files: [own(userDirectory)], notes },
      workspace: { files: [own(join(context.workspace, '.amp'))], notes },
    }
  },
  read(event, payload) {
    if (!isRecord(payload)) return null
    const { sessionId, prompt, answer } = payload
    return reading(signOf(SIGNS, event, payload), { sessionId, prompt, answer })
  },
}
