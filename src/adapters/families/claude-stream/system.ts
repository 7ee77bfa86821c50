import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS, warning } from '../../../core/effects.ts'
import { failTurn } from '../../../core/failures.ts'
import { asNumber, asRecord, asRecords, asString, type JsonRecord, textOf } from '../../../core/json.ts'
import { wholeMessage } from './content.ts'
import { denial } from './control.ts'
import type { DialogueState } from './state.ts'
import { turnStarted } from './turns.ts'
import { unknown } from './unknown.ts'

export function systemRecord(state: DialogueState, record: JsonRecord): Effect[] {
  const subtype = asString(record.subtype) ?? ''
  switch (subtype) {
    case 'init':
      return init(state, record)
    case 'permission_denied':
      return permissionDenied(state, record)
    case 'api_retry':
      return apiRetry(state, record)
    case 'retry':
      return retry(state, bodyOf(record))
    case 'compact_boundary':
      return compacted(asRecord(record.compact_metadata) ?? {})
    case 'task_started':
      return taskStarted(state, bodyOf(record))
    case 'task_notification':
      return taskEnded(state, bodyOf(record))
    case 'informational':
      return record.level === 'warning' ? [warning(textOf(record.content))] : NO_EFFECTS
    case 'status':
      return record.compact_result === 'failed'
        ? [warning(`The context could not be compacted: ${textOf(record.compact_error)}`)]
        : unknown(state, 'system/status')
    case 'continue_turn_failed':
    case 'vision_bridge_failed':
      return [warning(textOf(bodyOf(record).error) || textOf(bodyOf(record).notice))]
    // What a command of the CLI says, shown as an answer.
    case 'local_command_output':
      return wholeMessage(state, textOf(record.content))
    case 'plugin_install':
      return pluginInstall(record)
    case 'model_fallback':
      return [warning(textOf(record.content) || `The model was changed to ${textOf(bodyOf(record).toModel)}.`)]
    case 'model_refusal_fallback':
    case 'model_consent_fallback':
    case 'instruction_size_warning':
    case 'file_attachments_missing':
    case 'session_writes_lost':
    case 'mirror_error':
      return [warning(textOf(record.content) || textOf(record.error) || subtype)]
    case 'hook_response':
      return record.outcome === 'success' || record.outcome === undefined
        ? NO_EFFECTS
        : [warning(`hook ${textOf(record.hook_name)}: ${textOf(record.outcome)} ${textOf(record.stderr)}`.trim())]
    default:
      return unknown(state, `system/${subtype}`)
  }
}

/** Some put the fields of a system record one level down. */
function bodyOf(record: JsonRecord): JsonRecord {
  return asRecord(record.data) ?? record
}

/** Comes at the start of every turn, not only of the session. */
function init(state: DialogueState, record: JsonRecord): Effect[] {
  const effects: Effect[] = []
  const sessionId = asString(record.session_id) ?? ''
  state.cwd = asString(record.cwd) ?? state.cwd
  const { fixedKeySource } = state.dialect
  state.keyIsFixed = fixedKeySource !== undefined && record.apiKeySource === fixedKeySource
  turnStarted(state)
  if (sessionId !== state.sessionId || sessionId === '') {
    const isFirst = state.sessionId === ''
    state.sessionId = sessionId
    effects.push(...sessionStart(state, sessionId, isFirst))
    for (const server of asRecords(record.mcp_servers)) {
      if (server.status === 'failed') effects.push(warning(`MCP server ${textOf(server.name)} failed to start`))
    }
  }
  effects.push({ emit: { type: 'turn_start' } })
  const model = asString(record.model)
  if (model) {
    state.model = model
    effects.push({ model })
  }
  return effects
}

function sessionStart({ options }: DialogueState, sessionId: string, isFirst: boolean): Effect[] {
  const { sessionId: resumed, forkSessionId: forkedFrom } = options
  if (isFirst && forkedFrom !== undefined) {
    return [
      { emit: { type: 'session_start', sessionId, resumed: false, forkedFrom } },
      { emit: { type: 'session_fork', sessionId, forkedFrom } },
    ]
  }
  if (isFirst && resumed !== undefined) {
    return [{ emit: { type: 'session_start', sessionId, resumed: true } }]
  }
  return [{ emit: { type: 'session_start', sessionId, resumed: false } }]
}

function permissionDenied(state: DialogueState, record: JsonRecord): Effect[] {
  const toolCallId = asString(record.tool_use_id) ?? ''
  const toolName = asString(record.tool_name) ?? ''
  const input = state.calls.get(toolCallId)?.input
  return denial(state, { toolCallId, toolName, input, reason: asString(record.message) })
}

function apiRetry(state: DialogueState, record: JsonRecord): Effect[] {
  const status = asNumber(record.error_status)
  const delayMs = asNumber(record.retry_delay_ms) ?? 0
  const reason = retryReason(textOf(record.error), status)
  const attempt = asNumber(record.attempt) ?? 0
  state.isAbandoned = false
  const effects: Effect[] = [
    { emit: { type: 'retry', attempt, maxAttempts: asNumber(record.max_retries) ?? 0, reason, delayMs } },
  ]
  if (status === 429) effects.push({ emit: { type: 'rate_limited', retryAfterMs: delayMs } })
  if (status === 401 || status === 403) {
    state.authRetries += 1
    // The CLI would go on for minutes. A login may have been refreshed meanwhile, so it gets two more tries.
    if (state.keyIsFixed || state.authRetries > 2) {
      state.ended = true
      const message = `The model API refused the credentials: ${reason}`
      effects.push(...failTurn('auth', { message, guidance: state.dialect.guidance, endNow: true }))
    }
  }
  return effects
}

/** A connection that fails or is lost has no status, and Claude Code 2.1 calls it `unknown`. */
function retryReason(error: string, status: number | undefined): string {
  if (status !== undefined) return `${error} (${status})`
  return error === 'unknown' ? 'Connection failed or lost' : error
}

/** Announced with its delay when the model API asked to wait, and then reported again when it begins. */
function retry(state: DialogueState, body: JsonRecord): Effect[] {
  const delayMs = asNumber(body.delayMs)
  if (delayMs === undefined && state.retryIsAnnounced) {
    state.retryIsAnnounced = false
    return NO_EFFECTS
  }
  state.retries += 1
  state.hasUnreportedRequests = true
  state.retryIsAnnounced = delayMs !== undefined
  const attempt = asNumber(body.attempt) ?? state.retries
  const maxAttempts = asNumber(body.maxRetries) ?? 0
  const reason = delayMs === undefined ? textOf(body.reason) : 'rate limit'
  const effects: Effect[] = [{ emit: { type: 'retry', attempt, maxAttempts, reason, delayMs: delayMs ?? 0 } }]
  if (delayMs !== undefined) effects.push({ emit: { type: 'rate_limited', retryAfterMs: delayMs } })
  return effects
}

function pluginInstall({ status, name, error }: JsonRecord): Effect[] {
  const plugin = { pluginId: textOf(name), pluginName: textOf(name) }
  if (status === 'installed') return [{ emit: { type: 'plugin_loaded', ...plugin, version: '' } }]
  return status === 'failed' ? [{ emit: { type: 'plugin_error', ...plugin, error: textOf(error) } }] : NO_EFFECTS
}

function compacted(metadata: JsonRecord): Effect[] {
  const saved = (asNumber(metadata.pre_tokens) ?? 0) - (asNumber(metadata.post_tokens) ?? 0)
  return [{ emit: { type: 'context_compacted', summary: '', tokensSaved: Math.max(0, saved) } }]
}

/** Commands in the background are tasks too; only agents have a type. */
function taskStarted(state: DialogueState, record: JsonRecord): Effect[] {
  const agentName = asString(record.subagent_type)
  const taskId = asString(record.task_id) ?? ''
  if (agentName === undefined) return NO_EFFECTS
  const call = state.calls.get(asString(record.tool_use_id) ?? '')
  // Where the call itself reported the sub-agent, it goes on under the name of that call.
  const wasTold = call !== undefined && state.dialect.tools[call.toolName]?.kind === 'subagent'
  const subagentId = wasTold ? call.toolCallId : taskId
  state.subagents.set(taskId, { subagentId, agentName })
  if (wasTold) {
    call.inBackground = true
    return NO_EFFECTS
  }
  return [{ emit: { type: 'subagent_spawn', subagentId, agentName, prompt: asString(record.prompt) ?? '' } }]
}

function taskEnded(state: DialogueState, record: JsonRecord): Effect[] {
  const taskId = asString(record.task_id) ?? ''
  const subagent = state.subagents.get(taskId)
  if (subagent === undefined) return NO_EFFECTS
  state.subagents.delete(taskId)
  const summary = asString(record.summary) ?? ''
  if (record.status === 'completed') return [{ emit: { type: 'subagent_result', ...subagent, summary } }]
  const error = `${textOf(record.status)} ${summary}`.trim()
  return [{ emit: { type: 'subagent_error', ...subagent, error } }]
}
