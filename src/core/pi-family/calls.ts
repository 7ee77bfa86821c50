import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../effects.ts'
import { asRecord, asString, type JsonRecord, textOf } from '../json.ts'
import { exitCodeOf, type ToolMap, toolDone, toolReady } from '../tools.ts'
import { unseenVerdicts } from './dialogs.ts'
import type { DialogueState, OpenCall } from './state.ts'
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

/** The output so far, not what is new in it; a long one loses its beginning. */
export function callUpdated(state: DialogueState, record: JsonRecord): Effect[] {
  const call = openCall(state, record)
  const text = outputOf(state, record.partialResult)
  if (state.dialect.tools[call.toolName]?.kind !== 'shell' || !text.startsWith(call.shown)) return NO_EFFECTS
  const delta = text.slice(call.shown.length)
  call.shown = text
  return delta === '' ? NO_EFFECTS : [{ emit: { type: 'shell_stdout_delta', delta, toolCallId: call.toolCallId } }]
}

const EXIT_CODE = /(?:exited with code|exit code:?) (\d+)\s*$/i

/** What the CLI says of a command that failed, below its output. */
const REMARK = /\n*Command (?:aborted|exited with code \d+|timed out[^\n]*)\s*$/

function exitCode({ structuredContent, details }: JsonRecord, text: string): number | undefined {
  // It goes on in the background.
  if (asRecord(details)?.async !== undefined) return -1
  const told = exitCodeOf(structuredContent) ?? exitCodeOf(details) ?? EXIT_CODE.exec(text)?.[1]
  return told === undefined ? undefined : Number(told)
}

/** What of the output has not been shown yet, where it is the output of the command at all. */
function restOf({ shown }: OpenCall, text: string): string | undefined {
  return text.startsWith(shown) ? text.slice(shown.length).replace(REMARK, '') : undefined
}

export function callEnded(state: DialogueState, record: JsonRecord): Effect[] {
  const call = openCall(state, record)
  const result = asRecord(record.result) ?? {}
  const text = outputOf(state, result)
  const isError = record.isError === true
  const denied = isError && state.dialect.deniedText.test(text)
  state.calls.delete(call.toolCallId)
  return [
    ...unseenVerdicts(state, call, denied ? text : null),
    ...toolDone(toolsOf(state, call), call, {
      output: text,
      error: isError ? text || `${call.toolName} failed` : undefined,
      stdout: denied ? undefined : restOf(call, text),
      exitCode: exitCode(result, text),
      diff: asString(asRecord(result.details)?.diff),
    }),
  ]
}
