import type { AgentEventDraft } from '../../contract/event-drafts.ts'
import type { AgentEventType } from '../../contract/events.ts'
import { isRecord, type JsonRecord } from '../../core/json.ts'

type Kind = 'string' | 'number' | 'boolean' | 'cost'

const SESSION = { sessionId: 'string' } as const
const TOOL = { toolCallId: 'string', toolName: 'string' } as const
const FILE = { path: 'string' } as const
const MCP = { toolCallId: 'string', server: 'string', toolName: 'string' } as const
const SUBAGENT = { subagentId: 'string', agentName: 'string' } as const
const PLUGIN = { pluginId: 'string', pluginName: 'string' } as const
const INTERACTION = { interactionId: 'string' } as const
const DELTA = { delta: 'string' } as const
const NOTHING = {} as const

/** The fields that an event has to have, without those which the normaliser fills in. */
const FIELDS: Readonly<Record<AgentEventType, Readonly<Record<string, Kind>>>> = {
  session_start: { ...SESSION, resumed: 'boolean' },
  session_resume: SESSION,
  session_fork: { ...SESSION, forkedFrom: 'string' },
  session_checkpoint: { ...SESSION, checkpointId: 'string' },
  session_end: SESSION,
  turn_start: NOTHING,
  turn_end: NOTHING,
  step_start: { stepType: 'string' },
  step_end: NOTHING,
  message_start: NOTHING,
  text_delta: DELTA,
  message_stop: { text: 'string' },
  thinking_start: NOTHING,
  thinking_delta: DELTA,
  thinking_stop: { thinking: 'string' },
  tool_call_start: TOOL,
  tool_input_delta: { toolCallId: 'string', ...DELTA },
  tool_call_ready: TOOL,
  tool_result: TOOL,
  tool_error: { ...TOOL, error: 'string' },
  file_read: FILE,
  file_write: { ...FILE, byteCount: 'number' },
  file_create: { ...FILE, byteCount: 'number' },
  file_delete: FILE,
  file_patch: { ...FILE, diff: 'string' },
  shell_start: { command: 'string', cwd: 'string' },
  shell_stdout_delta: DELTA,
  shell_stderr_delta: DELTA,
  shell_exit: { exitCode: 'number' },
  mcp_tool_call_start: MCP,
  mcp_tool_result: MCP,
  mcp_tool_error: { ...MCP, error: 'string' },
  subagent_spawn: { ...SUBAGENT, prompt: 'string' },
  subagent_result: { ...SUBAGENT, summary: 'string' },
  subagent_error: { ...SUBAGENT, error: 'string' },
  plugin_loaded: { ...PLUGIN, version: 'string' },
  plugin_invoked: PLUGIN,
  plugin_error: { ...PLUGIN, error: 'string' },
  skill_loaded: { skillName: 'string', source: 'string' },
  skill_invoked: { skillName: 'string' },
  agentdoc_read: FILE,
  image_output: { mimeType: 'string' },
  image_input_ack: { mimeType: 'string' },
  cost: { cost: 'cost' },
  token_usage: { inputTokens: 'number', outputTokens: 'number' },
  input_required: { ...INTERACTION, question: 'string', source: 'string' },
  approval_request: { ...INTERACTION, action: 'string', detail: 'string', riskLevel: 'string' },
  approval_granted: INTERACTION,
  approval_denied: INTERACTION,
  rate_limited: NOTHING,
  context_limit_warning: { usedTokens: 'number', maxTokens: 'number', pctUsed: 'number' },
  context_compacted: { summary: 'string', tokensSaved: 'number' },
  retry: { attempt: 'number', maxAttempts: 'number', reason: 'string', delayMs: 'number' },
  attempt_withdrawn: { attempt: 'number', reason: 'string', scope: 'string', text: 'string' },
  interrupted: NOTHING,
  aborted: NOTHING,
  paused: NOTHING,
  resumed: NOTHING,
  timeout: { kind: 'string' },
  turn_limit: { maxTurns: 'number' },
  stream_fallback: { capability: 'string', reason: 'string' },
  auth_error: { message: 'string', guidance: 'string' },
  rate_limit_error: { message: 'string' },
  context_exceeded: { usedTokens: 'number', maxTokens: 'number' },
  crash: { exitCode: 'number', stderr: 'string' },
  error: { code: 'string', message: 'string', recoverable: 'boolean' },
  debug: { level: 'string', message: 'string' },
  log: { source: 'string', line: 'string' },
}

const REQUIRED = new Map(
  Object.entries(FIELDS).map(([type, fields]): [string, [string, Kind][]] => [type, Object.entries(fields)]),
)

function isOfKind(value: unknown, kind: Kind): boolean {
  return kind === 'cost' ? isRecord(value) && typeof value.totalUsd === 'number' : typeof value === kind
}

/** Whether a record from outside, such as a line of `amux run --json`, is an event with all that belongs to it. */
export function isEventRecord(record: JsonRecord): record is JsonRecord & AgentEventDraft {
  const fields = typeof record.type === 'string' ? REQUIRED.get(record.type) : undefined
  return fields?.every(([name, kind]) => isOfKind(record[name], kind)) ?? false
}
