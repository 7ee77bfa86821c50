import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS, warning } from '../../core/effects.ts'
import { asRecord, asString, type JsonRecord } from '../../core/json.ts'
import { retryNotice } from './errors.ts'
import { itemCompleted, itemStarted, planUpdated, shellDelta, textDelta, thinkingDelta, thinkingPart } from './items.ts'
import { codexWarning } from './own-warnings.ts'
import { planWindows } from './quota.ts'
import { reviewed, unseenVerdicts } from './requests.ts'
import { isMain, openSession, useModel, useSettings } from './session.ts'
import type { DialogueState } from './state.ts'
import { itemsOf, subagentActivity, subagentDone } from './subagents.ts'
import { itemType } from './tools.ts'
import { endTurn, turnCompleted, turnStarted } from './turns.ts'
import { threadUsage } from './usage.ts'

/** Notices we have no use for and can be large, or that name the machine. */
export const OPTED_OUT = ['remoteControl/status/changed', 'turn/diff/updated', 'thread/readState/changed']

/** Notices that say nothing the other ones do not. */
const SILENT: ReadonlySet<string> = new Set([
  ...OPTED_OUT,
  ...['thread/status/changed', 'thread/goal/cleared', 'thread/goal/updated', 'thread/name/updated', 'thread/closed'],
  ...['thread/prediction/updated', 'thread/queue/changed', 'thread/project/updated', 'thread/compacted'],
  ...['thread/environment/connected', 'thread/environment/disconnected', 'hook/started', 'hook/completed'],
  ...['item/plan/delta', 'item/fileChange/outputDelta', 'item/fileChange/patchUpdated', 'item/mcpToolCall/progress'],
  ...['item/commandExecution/terminalInteraction', 'item/autoApprovalReview/started', 'serverRequest/resolved'],
  ...['rawResponseItem/completed', 'rawResponse/completed', 'turn/moderationMetadata', 'skills/changed'],
  ...['account/updated', 'app/list/updated', 'model/verification', 'model/safetyBuffering/updated', 'project/changed'],
  ...['modelProvider/authRecoveryStarted', 'modelProvider/authRecoveryCompleted', 'fs/changed'],
  ...['thread/archived', 'thread/unarchived', 'thread/deleted', 'thread/reverted', 'thread/attachment/updated'],
  ...['account/login/completed', 'account/gatewayOAuth/changed', 'mcpServer/oauthLogin/completed'],
  ...['mcpServer/event/stream/notification', 'autoApprovalReview/strictReviewRequired'],
])

/** What other clients of the same server do: speak, search files, run programs of their own. */
const OF_OTHERS = /^(?:thread\/realtime|fuzzyFileSearch|process|command\/exec|externalAgentConfig|windows\w*)\//

export function notice(state: DialogueState, method: string, params: JsonRecord): Effect[] {
  // The commonest first: one comparison, one small object.
  if (method === 'item/agentMessage/delta') return textDelta(itemsOf(state, params), params)
  // In a recording that begins in the middle, the first thread that is named is the run's.
  if (state.threadId === undefined && !state.live) state.threadId = asString(params.threadId)
  switch (method) {
    case 'item/commandExecution/outputDelta':
      return shellDelta(itemsOf(state, params), params)
    case 'item/reasoning/summaryTextDelta':
    case 'item/reasoning/textDelta':
      return thinkingDelta(itemsOf(state, params), params)
    case 'item/reasoning/summaryPartAdded':
      return thinkingPart(itemsOf(state, params), params)
    case 'item/started':
      return started(state, params, asRecord(params.item) ?? {})
    case 'item/completed':
      return completed(state, params, asRecord(params.item) ?? {})
    case 'item/autoApprovalReview/completed':
      return reviewed(params, asRecord(params.review) ?? {})
    case 'thread/tokenUsage/updated':
      return threadUsage(state, params, asRecord(params.tokenUsage) ?? {})
    case 'thread/started':
      return state.live ? NO_EFFECTS : openSession(state, asRecord(params.thread) ?? {}, undefined)
    case 'thread/settings/updated':
      return isMain(state, params) ? useSettings(state, asRecord(params.threadSettings) ?? {}) : NO_EFFECTS
    case 'turn/started':
      return isMain(state, params) ? turnStarted(state, asRecord(params.turn) ?? {}) : NO_EFFECTS
    case 'turn/completed':
      return isMain(state, params)
        ? turnCompleted(state, asRecord(params.turn) ?? {})
        : subagentDone(state, asString(params.threadId) ?? '', asRecord(params.turn) ?? {})
    case 'turn/plan/updated':
      return isMain(state, params)
        ? planUpdated(state, { plan: params.plan, explanation: params.explanation })
        : NO_EFFECTS
    case 'error':
      return isMain(state, params) ? turnError(state, params, asRecord(params.error) ?? {}) : NO_EFFECTS
    case 'account/rateLimits/updated':
      return rateLimits(state, asRecord(params.rateLimits) ?? {})
    case 'model/rerouted':
      return [warning(`The model was changed to ${params.toModel}.`), ...useModel(state, asString(params.toModel))]
    case 'mcpServer/startupStatus/updated':
      return params.status === 'failed'
        ? [warning(`MCP server ${params.name} did not start: ${params.error}`)]
        : NO_EFFECTS
    case 'warning':
    case 'guardianWarning':
      return codexWarning(asString(params.message) ?? '')
    case 'configWarning':
    case 'deprecationNotice':
      return [{ emit: { type: 'debug', level: 'info', message: asString(params.summary) ?? '' } }]
    default:
      return SILENT.has(method) || OF_OTHERS.test(method) ? NO_EFFECTS : [{ unrecognized: method }]
  }
}

function started(state: DialogueState, params: JsonRecord, item: JsonRecord): Effect[] {
  if (itemType(item) === 'subAgentActivity') return subagentActivity(state, item)
  const items = itemsOf(state, params)
  return items ? itemStarted(state, items, item) : NO_EFFECTS
}

function completed(state: DialogueState, params: JsonRecord, item: JsonRecord): Effect[] {
  if (itemType(item) === 'subAgentActivity') return subagentActivity(state, item)
  state.networkWaits = 0
  const items = itemsOf(state, params)
  const effects = items ? itemCompleted(state, items, item) : NO_EFFECTS
  return [...unseenVerdicts(state, item), ...effects]
}

/** A fatal error is reported again by the turn's end; a retry only here. */
function turnError(state: DialogueState, params: JsonRecord, error: JsonRecord): Effect[] {
  if (params.willRetry !== true) return NO_EFFECTS
  const message = asString(error.message) ?? ''
  const details = asString(error.additionalDetails)
  const retry = retryNotice(state, message, error.codexErrorInfo, details) ?? [warning(message)]
  // Codex would go on trying: for us the turn is over.
  return retry.some((effect) => 'fail' in effect) ? endTurn(state, retry, false) : retry
}

function rateLimits(state: DialogueState, limits: JsonRecord): Effect[] {
  const quota = planWindows(limits)
  const effects: Effect[] = quota.length > 0 ? [{ quota }] : NO_EFFECTS
  const limit = quota.find((window) => window.isExhausted && window.resetsAt !== null)
  if (limit?.resetsAt == null || state.limitResetAt === limit.resetsAt) return effects
  state.limitResetAt = limit.resetsAt
  return [...effects, { emit: { type: 'rate_limited', resetAt: limit.resetsAt, window: limit.windowType } }]
}
