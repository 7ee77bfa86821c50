/** Compile-time assertions on the public types; `npm run typecheck` is what checks them. */
import { z } from 'zod'
import type {
  AgentAdapter,
  AgentEvent,
  AgentEventDraft,
  AgentEventDraftOf,
  AgentMuxClient,
  Outcome,
  RunHandle,
  RunOptions,
  RunResult,
  TextDeltaEvent,
  ToolErrorEvent,
  ToolResultEvent,
} from '../src/index.ts'
import { filterEvents, hasCorrelationKey, isEventType, isToolEvent } from '../src/index.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function assertType<_Claim extends true>(): void {}

declare const event: AgentEvent
declare const handle: RunHandle
declare const client: AgentMuxClient

// Every event has the base fields, and a `type` that narrows it.
assertType<Equal<AgentEvent['runId'], string>>()
assertType<Equal<AgentEvent['timestamp'], number>>()
if (event.type === 'text_delta') assertType<Equal<typeof event, TextDeltaEvent>>()

// A switch over all 18 groups of types is exhaustive: a type more in the union makes this fail to compile.
export function groupOf(one: AgentEvent): string {
  switch (one.type) {
    case 'session_start':
    case 'session_resume':
    case 'session_fork':
    case 'session_checkpoint':
    case 'session_end':
      return one.sessionId
    case 'turn_start':
    case 'turn_end':
    case 'step_start':
    case 'step_end':
      return `${one.turnIndex}`
    case 'message_start':
    case 'thinking_start':
      return one.type
    case 'text_delta':
    case 'thinking_delta':
      return one.accumulated
    case 'message_stop':
      return one.text
    case 'thinking_stop':
      return one.thinking
    case 'tool_call_start':
    case 'tool_input_delta':
      return one.inputAccumulated
    case 'tool_call_ready':
    case 'tool_result':
    case 'tool_error':
      return one.toolName
    case 'file_read':
    case 'file_write':
    case 'file_create':
    case 'file_delete':
    case 'file_patch':
    case 'agentdoc_read':
      return one.path
    case 'shell_start':
      return one.command
    case 'shell_stdout_delta':
    case 'shell_stderr_delta':
      return one.delta
    case 'shell_exit':
      return `${one.exitCode}`
    case 'mcp_tool_call_start':
    case 'mcp_tool_result':
    case 'mcp_tool_error':
      return one.server
    case 'subagent_spawn':
    case 'subagent_result':
    case 'subagent_error':
      return one.subagentId
    case 'plugin_loaded':
    case 'plugin_invoked':
    case 'plugin_error':
      return one.pluginId
    case 'skill_loaded':
    case 'skill_invoked':
      return one.skillName
    case 'image_output':
    case 'image_input_ack':
      return one.mimeType
    case 'cost':
      return `${one.cost.totalUsd}`
    case 'token_usage':
      return `${one.inputTokens}`
    case 'input_required':
    case 'approval_request':
    case 'approval_granted':
    case 'approval_denied':
      return one.interactionId
    case 'rate_limited':
      return `${one.retryAfterMs}`
    case 'context_limit_warning':
      return `${one.pctUsed}`
    case 'context_compacted':
      return one.summary
    case 'retry':
      return one.reason
    case 'attempt_withdrawn':
      return one.text
    case 'interrupted':
    case 'aborted':
    case 'paused':
    case 'resumed':
      return one.type
    case 'timeout':
      return one.kind
    case 'turn_limit':
      return `${one.maxTurns}`
    case 'stream_fallback':
      return one.reason
    case 'auth_error':
    case 'rate_limit_error':
    case 'error':
    case 'debug':
      return one.message
    case 'context_exceeded':
      return `${one.usedTokens}`
    case 'crash':
      return one.stderr
    case 'log':
      return one.line
    default: {
      const never: never = one
      return never
    }
  }
}

// Guards narrow.
if (isEventType(event, 'tool_result')) assertType<Equal<typeof event, ToolResultEvent>>()
if (isToolEvent(event)) assertType<Equal<typeof event extends { toolCallId: string } ? true : false, true>>()
if (hasCorrelationKey(event, 'interactionId')) assertType<Equal<typeof event.interactionId, string>>()
const found = filterEvents([event], 'tool_result', 'tool_error')
assertType<Equal<typeof found, (ToolResultEvent | ToolErrorEvent)[]>>()

// A draft leaves out what the normaliser computes; a whole event is a draft, too.
export const draft: AgentEventDraft = { type: 'text_delta', delta: 'x' }
export const whole: AgentEventDraft = event
export const toolDraft: AgentEventDraftOf<'tool_result'> = {
  type: 'tool_result',
  toolCallId: 't',
  toolName: 'x',
  output: 1,
}
// @ts-expect-error a draft still needs the fields that only the adapter knows
export const incomplete: AgentEventDraft = { type: 'text_delta' }
// @ts-expect-error no such type
export const unknownType: AgentEventDraft = { type: 'text' }

// The handle: listeners get the event of their type; awaiting it gives the result; iterating it gives events.
handle.on('text_delta', (one) => assertType<Equal<typeof one, TextDeltaEvent>>())
handle.on('*', (one) => assertType<Equal<typeof one, AgentEvent>>())
// @ts-expect-error no such event
handle.on('text', () => {})
export async function use(): Promise<void> {
  const result = await handle
  assertType<Equal<typeof result, RunResult>>()
  assertType<Equal<typeof result.outcome, Outcome>>()
  for await (const one of handle) assertType<Equal<typeof one, AgentEvent>>()
  assertType<Equal<ReturnType<typeof client.run>, RunHandle>>()
  assertType<Equal<Parameters<typeof client.run>[0], RunOptions>>()
}

// An outcome narrows by its kind, and a failed one has a code.
export function codeOf(outcome: Outcome): string | undefined {
  return outcome.kind === 'failed' ? outcome.code : undefined
}

// The documented members of an adapter are required, the newer ones optional.
type Required_ = {
  [Key in keyof AgentAdapter]-?: object extends Pick<AgentAdapter, Key> ? never : Key
}[keyof AgentAdapter]
assertType<
  Equal<
    Required_,
    | 'agent'
    | 'displayName'
    | 'cliCommand'
    | 'capabilities'
    | 'models'
    | 'configSchema'
    | 'buildSpawnArgs'
    | 'parseEvent'
    | 'detectAuth'
    | 'getAuthGuidance'
    | 'sessionDir'
    | 'parseSessionFile'
    | 'listSessionFiles'
    | 'readConfig'
    | 'writeConfig'
  >
>()

// `structuredOutput` has the type of the schema, also of a JSON schema that is written in place.
const answer = await client.run({
  prompt: '',
  outputSchema: {
    type: 'object',
    properties: {
      city: { type: 'string' },
      size: { type: ['integer', 'null'] },
      kind: { enum: ['town', 'village'] },
      streets: {
        type: 'array',
        items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      },
      mayor: { anyOf: [{ type: 'string' }, { const: false }] },
      more: { $ref: '#/$defs/more' },
    },
    required: ['city', 'size', 'kind', 'streets'],
  },
})
assertType<
  Equal<
    typeof answer.structuredOutput,
    | {
        city: string
        size: number | null
        kind: 'town' | 'village'
        streets: { name: string }[]
        mayor?: string | false
        more?: unknown
      }
    | undefined
  >
>()
declare const anySchema: Record<string, unknown>
assertType<Equal<RunResult['structuredOutput'], unknown>>()
const loose = await client.run({ prompt: '', outputSchema: anySchema })
assertType<Equal<typeof loose.structuredOutput, unknown>>()
const City = z.object({ city: z.string(), founded: z.string().transform((text) => new Date(text)) })
const typed = await client.run({ prompt: '', outputSchema: City })
assertType<Equal<typeof typed.structuredOutput, { city: string; founded: Date } | undefined>>()
const paired = await client.run({ prompt: '', outputSchema: { schema: City, jsonSchema: anySchema } })
assertType<Equal<typeof paired.structuredOutput, { city: string; founded: Date } | undefined>>()
