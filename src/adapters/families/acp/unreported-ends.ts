import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import { retrySign } from '../../kit/retry-log.ts'
import { type AcpState, isInTurn, type Tool } from './state.ts'
import { done } from './tools.ts'

function openCalls({ tools }: AcpState): Tool[] {
  return [...tools.values()].filter(({ isDone }) => !isDone)
}

/** The model speaks again, or the turn is over: whatever it has called has run. */
export function unreportedEnds(state: AcpState): Effect[] {
  // A turn that is being stopped has not let them run to their ends.
  if (!state.profile.hidesEnds || state.interrupted || state.tools.size === 0) return NO_EFFECTS
  return openCalls(state).flatMap((tool) => ended(state, tool))
}

function ended(state: AcpState, tool: Tool, error?: string): Effect[] {
  // What it shows so far is the call, not its result. A change that it shows is one that was made now.
  tool.content = tool.content.filter(({ type }) => type === 'diff' && error === undefined)
  tool.output = error
  return done(state, tool, error !== undefined)
}

/** A line of the agent's log. */
export function logLine(state: AcpState, line: string): Effect[] {
  const sign = state.profile.logSign?.(line) ?? null
  if (sign === null || !isInTurn(state)) return NO_EFFECTS
  if ('retry' in sign) return retrySign(sign.retry)
  const { toolName, error } = sign.ended
  const tool = openCalls(state).find((call) => call.toolName === toolName)
  return tool ? ended(state, tool, error) : NO_EFFECTS
}
