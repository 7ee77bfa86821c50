import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Sign } from '../../../contract/activity.ts'
import { type AdapterHooks, HOOK_MARK, type HookContext } from '../../../contract/hooks.ts'
import { asRecord, asString, isRecord, type JsonRecord } from '../../../core/json.ts'
import { launchFile } from '../../kit/hooks/launch-file.ts'
import { reading } from '../../kit/hooks/reading.ts'
import { BEGUN, BUSY, DONE, type HookSigns, PROMPTED, runsTool, signOf } from '../../kit/hooks/signs.ts'
import { spoolSource } from '../../kit/hooks/spool-source.ts'
import type { OpencodeDialect } from './dialect.ts'
import { type NativeError, readError } from './errors.ts'

/** The events, of its many, that report activity. */
const EVENTS = [
  'session.created',
  'session.status',
  'session.idle',
  'session.error',
  'permission.asked',
  'permission.replied',
  'question.asked',
  'question.replied',
  'question.rejected',
] as const

/**
 * A plugin: code that the agent loads into itself. Sessions of sub-agents are left out, for their turns end while the
 * session that the user sees goes on. The text of the last answer is kept, since no event of the end of a turn has it.
 */
function pluginSource(context: HookContext, dialect: OpencodeDialect): string {
  return `${spoolSource(context, dialect.agent)}
const EVENTS = new Set(${JSON.stringify(EVENTS)})
const children = new Set()
const answers = new Map()

function keepAnswer({ part }) {
  if (part?.type === 'text' && part.time?.end) answers.set(part.sessionID, part.text)
}

function textOf(parts) {
  return (parts ?? []).filter((part) => part?.type === 'text' && !part.synthetic).map((part) => part.text).join('\\n')
}

// Version 1.18 may load a plugin twice, and which of the two goes on living is not known. So both listen, and what one
// has just said the other does not repeat.
const said = (globalThis.amuxHookSaid ??= new Map())

function tell(event, payload) {
  const text = event + JSON.stringify(payload)
  const now = Date.now()
  if (now - (said.get(text) ?? 0) < 200) return
  if (said.size > 100) said.clear()
  said.set(text, now)
  deliver(event, payload)
}

export const AmuxHook = async () => {
  if (!isOurs) return {}
  return {
    event: async ({ event }) => {
      const { type, properties = {} } = event ?? {}
      if (type === 'message.part.updated') return keepAnswer(properties)
      if (type === 'session.created' && properties.info?.parentID) children.add(properties.info.id)
      const sessionID = properties.sessionID ?? properties.info?.id
      if (!EVENTS.has(type) || children.has(sessionID)) return
      tell(type, { ...properties, sessionID, ...(type === 'session.idle' ? { answer: answers.get(sessionID) } : {}) })
    },
    'chat.message': async ({ sessionID, model }, { parts }) => {
      if (!children.has(sessionID)) tell('chat.message', { sessionID, model, text: textOf(parts) })
    },
    'tool.execute.before': async ({ tool, sessionID, callID }) => {
      if (!children.has(sessionID)) tell('tool.execute.before', { sessionID, tool, callID })
    },
    'tool.execute.after': async ({ tool, sessionID, callID }) => {
      if (!children.has(sessionID)) tell('tool.execute.after', { sessionID, tool, callID })
    },
  }
}
`
}

export function opencodeHooks(dialect: OpencodeDialect): AdapterHooks {
  const { agent, command } = dialect
  const variable = `${dialect.envPrefix}_CONFIG`
  return {
    plan(context) {
      const { homeDir, env } = context
      const source = pluginSource(context, dialect)
      const plugin = launchFile(context, agent, 'plugin.js', source)
      const config = launchFile(context, agent, 'config.json', { plugin: [pathToFileURL(plugin.path).href] })
      const configHome = env.XDG_CONFIG_HOME || join(homeDir, '.config')
      const installed = join(configHome, command, 'plugin', `${HOOK_MARK}.js`)
      return {
        agent,
        events: [...EVENTS, 'chat.message', 'tool.execute.before', 'tool.execute.after'],
        // A config that the user has named is not to be replaced.
        ...(env[variable] ? {} : { launch: { args: [], env: { [variable]: config.path }, files: [plugin, config] } }),
        // Not in a workspace: into a config directory there the agent installs packages by itself. And once for each
        // program, whatever forms of it we know.
        ...(agent === command ? { user: { files: [{ kind: 'own', path: installed, content: source }] } } : {}),
      }
    },
    read(event, payload) {
      if (!isRecord(payload)) return null
      return reading(signOf(SIGNS, event, payload), {
        sessionId: payload.sessionID,
        model: asRecord(payload.model)?.modelID,
        ...(event === 'chat.message' && { prompt: payload.text }),
        ...(event === 'session.idle' && { answer: payload.answer }),
      })
    },
  }
}

const idOf = (payload: JsonRecord) => asString(payload.requestID) ?? asString(payload.id)
const answered = (payload: JsonRecord): Sign => ({ state: 'active', closes: idOf(payload) })

const SIGNS: HookSigns = {
  'session.created': BEGUN,
  'session.status': ({ status }) => statusSign(asRecord(status)),
  'chat.message': PROMPTED,
  'tool.execute.before': ({ tool }) => runsTool(tool),
  'tool.execute.after': BUSY,
  'permission.asked': (payload) => ({
    state: 'blocked',
    dialog: idOf(payload),
    detail: `it asks for leave: ${asString(payload.permission) ?? 'a tool'}`,
  }),
  'question.asked': { state: 'waiting_input' },
  'permission.replied': answered,
  'question.replied': answered,
  'question.rejected': answered,
  'session.error': ({ error }) => errorSign(readError(error)),
  'session.idle': DONE,
}

/** It comes before `session.idle`, which does not say how the turn has ended. */
function errorSign({ name, message }: NativeError): Sign {
  if (name === 'MessageAbortedError') return { state: 'idle', closes: true, ended: 'interrupted', detail: message }
  return { state: 'idle', closes: true, ended: 'failed', detail: message }
}

function statusSign(status: JsonRecord | undefined): Sign | undefined {
  if (status?.type === 'busy') return { state: 'active' }
  if (status?.type === 'retry') return { state: 'active', detail: `it tries again: ${asString(status.message) ?? ''}` }
  return undefined
}
