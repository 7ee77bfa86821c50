import { createHash } from 'node:crypto'
import type { Sign } from '../../../contract/activity.ts'
import type { HookContext, HookEntry, HookReading } from '../../../contract/hooks.ts'
import type { AgentName } from '../../../contract/names.ts'
import type { TokenUsage } from '../../../contract/usage.ts'
import { asNumber, asString, isRecord, type JsonRecord, textOf } from '../../../core/json.ts'
import { commandOf, textIn } from '../../../core/open-commands.ts'
import { hookCommand } from './command.ts'
import { reading } from './reading.ts'
import { BEGUN, PROMPTED } from './signs.ts'

/** The hooks of Claude Code, whose names and payloads many agents have taken over. */

/** Those that report activity. Each agent takes the ones it has. */
export const CLAUDE_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'Notification',
  'Stop',
  'StopFailure',
  'SessionEnd',
] as const

export interface HookGroup {
  matcher?: string
  hooks: { type: 'command'; command: string; timeout?: number }[]
}

const TOOL_EVENT = /Tool|^Permission/

/** The value of `hooks` in a settings file: for each event one group of ours. */
export function hookGroups(
  context: HookContext,
  agent: AgentName,
  events: readonly string[],
): Record<string, HookGroup[]> {
  return Object.fromEntries(
    events.map((event): [string, HookGroup[]] => {
      const hooks: HookGroup['hooks'] = [{ type: 'command', command: hookCommand(context, agent, event) }]
      return [event, [TOOL_EVENT.test(event) ? { matcher: '*', hooks } : { hooks }]]
    }),
  )
}

/** The same as entries for a settings file that has others. */
export function hookEntries(context: HookContext, agent: AgentName, events: readonly string[]): HookEntry[] {
  return Object.entries(hookGroups(context, agent, events)).map(([event, [value]]) => ({
    keyPath: ['hooks', event],
    as: 'item',
    value,
  }))
}

/** Which tools ask the user something. */
const QUESTION_TOOLS = /^(AskUserQuestion|ask_user_question|ask_user|AskUser)$/

const PERMISSION = 'permission'

/** What a payload reports. Total: anything may be in it. */
export function readClaudeHook(event: string, payload: unknown): HookReading | null {
  if (!isRecord(payload)) return null
  const read = reading(signOf(event, payload), {
    sessionId: field(payload, 'session_id', 'sessionId'),
    transcriptPath: field(payload, 'transcript_path', 'transcriptPath'),
    model: payload.model,
    ...(event === 'UserPromptSubmit' && { prompt: textOf(payload.prompt) }),
    ...(event === 'Stop' && {
      answer: field(payload, 'last_assistant_message', 'lastAssistantMessage'),
      usage: usageHint(payload),
    }),
  })
  const ran = /^PostToolUse(Failure)?$/.test(event) ? ranCommand(payload, event !== 'PostToolUse') : undefined
  return ran ? { ...read, ran } : read
}

/** A tool that has run a command, and what that printed. */
function ranCommand(payload: JsonRecord, failed: boolean): HookReading['ran'] {
  const { tool_input, tool_response, tool_output, error } = payload
  const command = commandOf(tool_input, field(payload, 'tool_name', 'toolName'))
  if (command === undefined) return undefined
  return { command, output: textIn(tool_response ?? tool_output ?? error), failed }
}

/** Qwen 0.24 reports with the end of a turn what its last request sent; the others say nothing. */
function usageHint({ input_tokens }: JsonRecord): Partial<TokenUsage> | undefined {
  const inputTokens = asNumber(input_tokens)
  return inputTokens === undefined ? undefined : { inputTokens }
}

/** Claude 2.1 names the kind of failure (`server_error`), and says it in words as its last message. */
function failureOf(payload: JsonRecord): string {
  const kind = asString(payload.error)
  const words = field(payload, 'error_details', 'last_assistant_message')
  const parts = [kind, words].filter((one) => one !== undefined && one !== '')
  return parts.length === 0 ? 'no reason given' : parts.join(': ')
}

function signOf(event: string, payload: JsonRecord): Sign | undefined {
  const tool = field(payload, 'tool_name', 'toolName')
  switch (event) {
    case 'SessionStart':
      // A compaction is in the middle of a turn.
      return payload.source === 'compact' ? undefined : { ...BEGUN }
    case 'UserPromptSubmit':
      return { ...PROMPTED }
    case 'PreToolUse':
      if (tool && QUESTION_TOOLS.test(tool)) return { state: 'waiting_input', detail: questionOf(payload) }
      return { state: 'active', detail: tool && `it runs ${tool}` }
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return { state: 'active', closes: dialogOf(payload) }
    case 'PermissionRequest':
      return { state: 'blocked', dialog: dialogOf(payload), detail: `it asks for leave to run ${tool ?? 'a tool'}` }
    case 'PermissionDenied':
      return { state: 'active', closes: dialogOf(payload) }
    case 'Notification':
      return noticed(payload)
    case 'Stop':
      return { state: 'idle', closes: true }
    case 'StopFailure':
      return { state: 'idle', closes: true, ended: 'failed', detail: failureOf(payload) }
    case 'SessionEnd':
      // The process goes on with a new conversation.
      return payload.reason === 'clear' ? undefined : { state: 'exited', closes: true, detail: 'its session has ended' }
    default:
      return undefined
  }
}

/** Dialogs of tools have their own hook; what else pops up is reported here only. */
function noticed(payload: JsonRecord): Sign | undefined {
  const type = field(payload, 'notification_type', 'notificationType')
  if (type === undefined || !/elicitation|question/i.test(type)) return undefined
  return { state: 'waiting_input', detail: asString(payload.message) }
}

/**
 * Which permission dialog: the tool and what it was called with, for its id is not always reported. Of a command only
 * the command itself, without the white space around it: Codex gives a reason with it and another last line when it
 * asks.
 */
export function dialogOf(payload: JsonRecord): string {
  const tool = field(payload, 'tool_name', 'toolName')
  if (tool === undefined) return PERMISSION
  const input = payload.tool_input ?? payload.toolInput ?? payload.toolArgs
  const call = (isRecord(input) && asString(input.command)?.trim()) || (JSON.stringify(input) ?? '')
  return `${tool}:${createHash('sha256').update(call).digest('hex').slice(0, 16)}`
}

function questionOf({ tool_input: input }: JsonRecord): string | undefined {
  const questions = isRecord(input) && Array.isArray(input.questions) ? input.questions : []
  const [first] = questions
  return isRecord(first) ? asString(first.question) : undefined
}

/** Some agents write the names in one way, some in the other, and one in both. */
export function field(payload: JsonRecord, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = asString(payload[name])
    if (value) return value
  }
  return undefined
}
