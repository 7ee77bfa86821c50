import type { Effect } from '../../contract/dialogue.ts'
import { ownDenial } from '../kit/denial.ts'
import { type ToolCall, type ToolMap, toolDone, toolReady } from '../kit/tools.ts'
import type { DialogueState } from './state.ts'

/** Its model has no tools: these are what the CLI itself does with an answer. */
const TOOLS: ToolMap = { edit: { kind: 'patch', path: 'path' }, run: { kind: 'shell', command: 'command' } }

function begin(state: DialogueState, toolName: string, input: Record<string, string>): [ToolCall, Effect[]] {
  const { cwd = process.cwd() } = state.options
  const call = { toolCallId: `${toolName}-${++state.calls}`, toolName, input }
  const { toolCallId } = call
  const started: Effect = {
    emit: { type: 'tool_call_start', toolCallId, toolName, inputAccumulated: JSON.stringify(input) },
  }
  return [call, [started, ...toolReady(TOOLS, call, cwd)]]
}

export function edited(state: DialogueState, path: string): Effect[] {
  const [call, started] = begin(state, 'edit', { path })
  return [...started, ...toolDone(TOOLS, call, { output: `Applied edit to ${path}` })]
}

export function refused(state: DialogueState, path: string, reason: string): Effect[] {
  const [call, started] = begin(state, 'edit', { path })
  return [...started, ...ownDenial(call, reason), ...toolDone(TOOLS, call, { output: '', error: reason })]
}

export function commandStart(state: DialogueState, command: string): Effect[] {
  const [call, started] = begin(state, 'run', { command })
  state.command = { call, output: [] }
  return started
}

/** Whatever ends it: a question about its output, another command, or the end of the process. How it exits is not reported. */
export function commandEnd(state: DialogueState): Effect[] {
  const { command } = state
  state.command = null
  if (!command) return []
  const { toolCallId, toolName } = command.call
  const output = command.output.join('\n').trim()
  return [
    { emit: { type: 'shell_stdout_delta', delta: output, toolCallId } },
    { emit: { type: 'tool_result', toolCallId, toolName, output } },
  ]
}
