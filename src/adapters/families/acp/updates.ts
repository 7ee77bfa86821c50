import type {
  CompactionUpdate,
  ConfigOptionUpdate,
  ContentBlock,
  ContentChunk,
  Notice,
  Plan,
  SessionNotification,
  SessionUpdate,
} from '@agentclientprotocol/sdk/unstable'
import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS, warning } from '../../../core/effects.ts'
import { asRecord, asRecords, asString, type JsonRecord, textOf } from '../../../core/json.ts'
import { learnOptions } from './options.ts'
import { retry } from './retries.ts'
import type { Native } from './rpc.ts'
import { type AcpState, isInTurn } from './state.ts'
import { isSubagentSpeaking, toolChanged } from './tools.ts'
import { replayOver } from './turns.ts'
import { unreportedEnds } from './unreported-ends.ts'
import { callUsage, usageUpdate } from './usage.ts'

type Kind = SessionUpdate['sessionUpdate']
type Handler = (state: AcpState, update: JsonRecord) => Effect[]

const nothing: Handler = () => NO_EFFECTS
/** Only what belongs to a turn of this run is shown; updates of an older one are history. */
const inTurn =
  (handler: Handler): Handler =>
  (state, update) =>
    isInTurn(state) ? handler(state, update) : NO_EFFECTS

/** All updates that the protocol knows: a new one in the SDK's types does not compile until it has its place here. */
const HANDLERS: Readonly<Record<Kind, Handler>> = {
  agent_message_chunk: inTurn(messageChunk),
  agent_thought_chunk: inTurn(thoughtChunk),
  user_message_chunk: userChunk,
  tool_call: inTurn(toolChanged),
  tool_call_update: inTurn(toolChanged),
  plan: inTurn(plan),
  plan_update: inTurn(plan),
  plan_removed: nothing,
  available_commands_update: nothing,
  current_mode_update: nothing,
  config_option_update: configOptions,
  session_info_update: nothing,
  usage_update: (state, update) => usageUpdate(state, update, isInTurn(state) || !state.isFirstTurn),
  notice: inTurn(notice),
  compaction_update: inTurn(compaction),
  compaction_summary_chunk: nothing,
  // Sub-agents speak in sessions of their own, which we do not ask for.
  subagent_update: nothing,
  session_message: nothing,
  session_message_chunk: nothing,
}

function isKnown(kind: string): kind is Kind {
  return Object.hasOwn(HANDLERS, kind)
}

export function sessionUpdate(state: AcpState, params: Native<SessionNotification>): Effect[] {
  const update = asRecord(params.update) ?? {}
  const kind = asString(update.sessionUpdate) ?? ''
  // Another session than ours: a sub-agent's.
  if (state.live && state.sessionId !== undefined && params.sessionId !== state.sessionId) return NO_EFFECTS
  const effects = isKnown(kind) ? HANDLERS[kind](state, update) : unknownUpdate(state, kind)
  const isLast = kind === (state.profile.replayEndsWith ?? 'available_commands_update')
  return isLast && state.replaying ? [...effects, ...replayOver(state)] : effects
}

function unknownUpdate({ profile }: AcpState, kind: string): Effect[] {
  return profile.ignored?.includes(kind) ? NO_EFFECTS : [{ unrecognized: `session/update:${kind}` }]
}

function textIn(content: unknown): string {
  const block: Native<ContentBlock> = asRecord(content) ?? {}
  if (block.type === 'text') return asString(block.text) ?? ''
  if (block.type === 'resource') return asString(asRecord(block.resource)?.text) ?? ''
  return block.type === 'resource_link' ? (asString(block.uri) ?? '') : ''
}

function contextCompacted([summary, before = '', after = '']: RegExpExecArray): Effect {
  const [from, to] = [before, after].map((count) => Number(count.replaceAll(',', '')))
  const tokensSaved = Math.max(0, (from ?? 0) - (to ?? 0))
  return { emit: { type: 'context_compacted', summary, tokensSaved } }
}

function messageChunk(state: AcpState, chunk: Native<ContentChunk>): Effect[] {
  const { profile } = state
  const usage = callUsage(state, chunk._meta)
  const block: Native<ContentBlock> = asRecord(chunk.content) ?? {}
  if (block.type === 'image') {
    const mimeType = asString(block.mimeType) ?? 'image/png'
    return [{ emit: { type: 'image_output', mimeType, base64: asString(block.data) } }, ...usage]
  }
  const delta = textIn(chunk.content)
  if (delta === '' || isSubagentSpeaking(state)) return usage
  if (profile.errorText?.some((pattern) => pattern.test(delta))) {
    state.errorText = delta
    return usage
  }
  if (profile.retryText?.test(delta)) return [retry(state, delta), ...usage]
  const compacted = profile.compactedText?.exec(delta)
  if (compacted) return [contextCompacted(compacted), ...usage]
  if (profile.noticeText?.some((pattern) => pattern.test(delta))) return [warning(delta), ...usage]
  const messageId = asString(chunk.messageId)
  const isNew = messageId !== undefined && state.messageId !== undefined && messageId !== state.messageId
  state.messageId = messageId
  state.isSpeaking = true
  state.lastWords = delta
  const text: Effect = { emit: { type: 'text_delta', delta } }
  return [...unreportedEnds(state), ...(isNew ? [{ emit: { type: 'message_start' } } as const] : []), text, ...usage]
}

function thoughtChunk(state: AcpState, chunk: Native<ContentChunk>): Effect[] {
  const { thoughtNoise } = state.profile
  const reported = textIn(chunk.content)
  const delta = thoughtNoise ? reported.replace(thoughtNoise, '') : reported
  const usage = callUsage(state, chunk._meta)
  if (delta === '' || isSubagentSpeaking(state)) return usage
  return [...unreportedEnds(state), { emit: { type: 'thinking_delta', delta } }, ...usage]
}

/** Words of the user are an echo, or the history of a session; a recording of the agent alone cannot tell which. */
function userChunk(state: AcpState): Effect[] {
  if (state.profile.echoesPrompt && state.sessionOpen) return NO_EFFECTS
  if (!state.live && !state.bothSides && state.tools.size === 0 && state.messageId === undefined) state.replaying = true
  return NO_EFFECTS
}

/** The plan comes as a whole each time: a call of the tool that changed it. */
function plan(state: AcpState, update: JsonRecord): Effect[] {
  state.planCount += 1
  const { entries }: Native<Plan> = asRecord(update.plan) ?? update
  const call = { toolCallId: `plan-${state.planCount}`, toolName: 'update_plan' }
  const input = { plan: entries ?? update.plan }
  return [{ emit: { type: 'tool_call_ready', ...call, input } }, { emit: { type: 'tool_result', ...call, output: '' } }]
}

function configOptions(state: AcpState, update: Native<ConfigOptionUpdate>): Effect[] {
  return learnOptions(state, { configOptions: update.configOptions })
}

function notice(_state: AcpState, { title, description }: Native<Notice>): Effect[] {
  return [warning([title, description].flatMap((part) => asString(part) ?? []).join(': '))]
}

function compaction(_state: AcpState, { status, summary }: Native<CompactionUpdate>): Effect[] {
  if (status !== 'completed') return NO_EFFECTS
  const words = textOf(asRecords(summary).map((block) => textIn(block)))
  return [{ emit: { type: 'context_compacted', summary: words, tokensSaved: 0 } }]
}
