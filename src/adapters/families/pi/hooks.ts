import { join } from 'node:path'
import type { Sign } from '../../../contract/activity.ts'
import { type AdapterHooks, HOOK_MARK, type HookContext } from '../../../contract/hooks.ts'
import { asString, isRecord, type JsonRecord } from '../../../core/json.ts'
import { launchFile } from '../../kit/hooks/launch-file.ts'
import { reading } from '../../kit/hooks/reading.ts'
import { BEGUN, BUSY, DONE, ENDED, type HookSigns, PROMPTED, runsTool, signOf } from '../../kit/hooks/signs.ts'
import { spoolSource } from '../../kit/hooks/spool-source.ts'

export interface PiHooksDialect {
  agent: 'pi' | 'omp'
  /** Below the home: where its extensions lie. */
  userDirectory(context: HookContext): string
  /** The same in a project. Without: what git ignores, and ours is, the agent does not load there. */
  projectDirectory?: string
  notes?: string[]
}

const EVENTS = [
  'session_start',
  'before_agent_start',
  'turn_start',
  'tool_execution_start',
  'tool_execution_end',
  'agent_end',
  'agent_settled',
  'session_shutdown',
] as const

/**
 * An extension: code that the agent loads into itself. Each event is asked for on its own, because a version may not
 * know one of them. `agent_end` is not the end of a turn where the agent goes on by itself.
 */
function extensionSource(context: HookContext, agent: string): string {
  return `${spoolSource(context, agent)}
function lastReply(messages) {
  return (messages ?? []).findLast((one) => one?.role === 'assistant')
}

function lastAnswer(messages) {
  const message = lastReply(messages)
  const parts = Array.isArray(message?.content) ? message.content : []
  return parts.filter((part) => part?.type === 'text').map((part) => part.text).join('')
}

const DETAILS = {
  before_agent_start: ({ prompt }) => ({ prompt }),
  tool_execution_start: ({ toolName }) => ({ toolName }),
  agent_end: ({ messages, willContinue }) => ({
    answer: lastAnswer(messages),
    willContinue,
    stopReason: lastReply(messages)?.stopReason,
    errorMessage: lastReply(messages)?.errorMessage,
  }),
  session_shutdown: ({ reason }) => ({ reason }),
}

export default function (pi) {
  if (!isOurs) return
  for (const name of ${JSON.stringify(EVENTS)}) {
    try {
      pi.on(name, (event, context) => {
        try {
          const sessions = context?.sessionManager
          deliver(name, {
            sessionId: sessions?.getSessionId?.(),
            sessionFile: sessions?.getSessionFile?.(),
            model: context?.model?.id,
            ...DETAILS[name]?.(event ?? {}),
          })
        } catch {}
      })
    } catch {}
  }
}
`
}

export function piFamilyHooks(dialect: PiHooksDialect): AdapterHooks {
  const { agent, userDirectory, projectDirectory, notes } = dialect
  return {
    plan(context) {
      const source = extensionSource(context, agent)
      const extension = launchFile(context, agent, 'extension.mjs', source)
      const own = (directory: string) => ({
        kind: 'own' as const,
        path: join(directory, `${HOOK_MARK}.js`),
        content: source,
      })
      return {
        agent,
        events: EVENTS,
        launch: { args: ['-e', extension.path], env: {}, files: [extension] },
        user: { files: [own(userDirectory(context))] },
        ...(projectDirectory && { workspace: { files: [own(join(context.workspace, projectDirectory))], notes } }),
      }
    },
    read(event, payload) {
      if (!isRecord(payload)) return null
      return reading(signOf(SIGNS, event, payload), {
        sessionId: payload.sessionId,
        transcriptPath: payload.sessionFile,
        model: payload.model,
        prompt: payload.prompt,
        answer: payload.answer,
      })
    },
  }
}

const SIGNS: HookSigns = {
  session_start: BEGUN,
  before_agent_start: PROMPTED,
  turn_start: BUSY,
  tool_execution_start: ({ toolName }) => runsTool(toolName),
  tool_execution_end: BUSY,
  agent_end: (payload) => (payload.willContinue === true ? undefined : endSign(payload)),
  agent_settled: DONE,
  // With other reasons it goes on with another conversation.
  session_shutdown: ({ reason }) => (reason === undefined || reason === 'quit' ? ENDED : undefined),
}

/** The last message of a turn says how it ended. A retry begins another turn, and takes this back. */
function endSign({ stopReason, errorMessage }: JsonRecord): Sign {
  const detail = asString(errorMessage)
  if (stopReason === 'aborted') return { ...DONE, ended: 'interrupted', detail: detail ?? 'interrupted' }
  return stopReason === 'error' ? { ...DONE, ended: 'failed', detail } : DONE
}
