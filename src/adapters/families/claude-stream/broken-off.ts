import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import type { JsonRecord } from '../../../core/json.ts'
import { replyUsage } from './reply-usage.ts'
import type { DialogueState } from './state.ts'

/** A response that broke off ends, too (2.1.325), and says which of its blocks are void: those that are still open. */
export function messageStop(state: DialogueState, record: JsonRecord): Effect[] {
  const { cutBlock } = state
  state.cutBlock = ''
  if (record.abandoned_blocks === undefined) return stopOf(cutBlock, '')
  state.isAbandoned = true
  return replyUsage(state, state.streamedMessageId)
}

/** Before another response: it is either asked for after a retry that was announced, or at once and without a stream. */
export function askedAgain(state: DialogueState): Effect[] {
  if (!state.isAbandoned) return NO_EFFECTS
  state.isAbandoned = false
  const reason = 'The response broke off.'
  return [{ emit: { type: 'retry', attempt: 1, maxAttempts: 1, reason, delayMs: 0 } }]
}

export function stopOf(blockType: string, text: string): Effect[] {
  if (blockType === 'text') return [{ emit: { type: 'message_stop', text } }]
  return blockType === 'thinking' ? [{ emit: { type: 'thinking_stop', thinking: text } }] : NO_EFFECTS
}
