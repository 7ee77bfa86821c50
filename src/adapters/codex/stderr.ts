import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { withoutEscapes } from '../../core/stderr.ts'
import { ownDenial } from '../kit/denial.ts'
import type { DialogueState } from './state.ts'

const ROUTER = /ERROR codex_core::tools::router: error=(.*)$/
const NAMED_TOOL = /^unsupported (?:custom tool )?call: (\S+)|^(\w+) (?:is unavailable|failed)/
const PERMISSION = /approval policy|approval settings|blocked by .*sandbox|rejected by|rejected: |requires approval/i
const REJECTED_BY_USER = /rejected by user\b(?! approval)/

function toolOf(message: string): string {
  if (/^patch /.test(message)) return 'apply_patch'
  if (/^collab spawn /.test(message)) return 'spawn_agent'
  const named = NAMED_TOOL.exec(message)
  const tool = named?.[1] ?? named?.[2]
  return tool === undefined || tool === 'exec_command' ? 'shell' : tool
}

/** A line of the log: the only place where codex reports calls that it refused before they began. */
export function stderrLine(state: DialogueState, line: string): Effect[] {
  const error = ROUTER.exec(withoutEscapes(line))?.[1]
  // What the user rejects is reported by the protocol as well.
  if (error === undefined || (!state.isExec && REJECTED_BY_USER.test(error))) return NO_EFFECTS
  state.refusedCount += 1
  const toolCallId = `refused-${state.refusedCount}`
  const toolName = toolOf(error)
  const effects: Effect[] = [{ emit: { type: 'tool_call_start', toolCallId, toolName } }]
  if (PERMISSION.test(error)) effects.push(...ownDenial({ toolCallId, toolName }, error))
  effects.push({ emit: { type: 'tool_error', toolCallId, toolName, error } })
  return effects
}
