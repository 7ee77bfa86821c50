import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import { asRecord, asString, type JsonRecord, textOf } from '../../../core/json.ts'
import { exitCodeOf, type ToolMap, type ToolOutcome, toolDone, toolReady } from '../../kit/tools.ts'
import type { ResultFacts } from './dialect.ts'
import { unseenVerdicts } from './dialogs.ts'
import type { DialogueState, OpenCall } from './state.ts'
import { subagentsOfCall } from './subagents.ts'
import { toolNameOf } from './tool-name.ts'

function openCall(state: DialogueState, record: JsonRecord): OpenCall {
  const toolCallId = asString(record.toolCallId) ?? ''
  const call = state.calls.get(toolCallId) ?? {
    toolCallId,
    toolName: toolNameOf(state, asString(record.toolName) ?? ''),
    input: undefined,
    shown: '',
    // Of a call that a tool makes by itself.
    parentToolCallId: asString(record.parentToolCallId),
  }
  state.calls.set(toolCallId, call)
  return call
}

/** A tool that the caller forbade is announced like any other, but does not run. */
function toolsOf({ dialect, options }: DialogueState, { toolName }: OpenCall): ToolMap {
  return options.disallowedTools?.includes(toolName) ? {} : dialect.tools
}

export function callStarted(state: DialogueState, record: JsonRecord): Effect[] {
  const call = openCall(state, record)
  call.input = record.args
  return toolReady(toolsOf(state, call), call, state.cwd)
}

function outputOf({ dialect }: DialogueState, result: unknown): string {
  const text = textOf(asRecord(result)?.content)
  return dialect.outputTail ? text.replace(dialect.outputTail, '') : text
}

function subagents(state: DialogueState, { toolName }: OpenCall, result: unknown): Effect[] {
  const { subagentTool } = state.dialect
  return toolName === subagentTool ? subagentsOfCall(state, asRecord(asRecord(result)?.details) ?? {}) : NO_EFFECTS
}

const EXIT_CODE = /(?:exited with code|exit code:?) (\d+)\s*$/i

/** What the CLI says of a command that failed, below its output. */
const REMARK = /\n*Command (?:aborted|exited with code \d+|timed out[^\n]*)\s*$/

/** The output so far, not what is new in it; a long one loses its beginning. */
export function callUpdated(state: DialogueState, record: JsonRecord): Effect[] {
  const call = openCall(state, record)
  if (call.toolName === state.dialect.subagentTool) return subagents(state, call, record.partialResult)
  const text = outputOf(state, record.partialResult).replace(REMARK, '')
  if (state.dialect.tools[call.toolName]?.kind !== 'shell' || !text.startsWith(call.shown)) return NO_EFFECTS
  const delta = text.slice(call.shown.length)
  call.shown = text
  return delta === '' ? NO_EFFECTS : [{ emit: { type: 'shell_stdout_delta', delta, toolCallId: call.toolCallId } }]
}

function exitCode({ structuredContent, details }: JsonRecord, text: string): number | undefined {
  // It goes on in the background.
  if (asRecord(details)?.async !== undefined) return -1
  const reported = exitCodeOf(structuredContent) ?? exitCodeOf(details) ?? EXIT_CODE.exec(text)?.[1]
  return reported === undefined ? undefined : Number(reported)
}

/** What of the output has not been shown yet, where it is the output of the command at all. */
function restOf({ shown }: OpenCall, text: string): string | undefined {
  return text.startsWith(shown) ? text.slice(shown.length).replace(REMARK, '') : undefined
}

/** Which server it was is in the result only, so its start is reported with its end. */
function mcpEffects(call: OpenCall, { mcp }: ResultFacts, { output, error }: ToolOutcome): Effect[] {
  if (!mcp) return NO_EFFECTS
  const { input, ...tool } = mcp
  const fields = { toolCallId: call.toolCallId, ...tool }
  return [
    { emit: { type: 'mcp_tool_call_start', ...fields, input } },
    error === undefined
      ? { emit: { type: 'mcp_tool_result', ...fields, output } }
      : { emit: { type: 'mcp_tool_error', ...fields, error } },
  ]
}

export function callEnded(state: DialogueState, record: JsonRecord): Effect[] {
  const call = openCall(state, record)
  const result = asRecord(record.result) ?? {}
  const details = asRecord(result.details) ?? {}
  const text = outputOf(state, result)
  const isError = record.isError === true
  const denied = isError && state.dialect.deniedText.test(text)
  state.calls.delete(call.toolCallId)
  const outcome: ToolOutcome = {
    output: text,
    error: isError ? text || `${call.toolName} failed` : undefined,
    stdout: denied ? undefined : restOf(call, text),
    exitCode: exitCode(result, text),
    diff: asString(details.diff),
  }
  const facts = state.dialect.resultFacts?.(call, details) ?? {}
  return [
    ...unseenVerdicts(state, call, denied ? text : null),
    ...subagents(state, call, result),
    ...mcpEffects(call, facts, outcome),
    ...toolDone(facts.did ? {} : toolsOf(state, call), call, outcome),
    ...(isError ? NO_EFFECTS : (facts.did ?? NO_EFFECTS)),
  ]
}
