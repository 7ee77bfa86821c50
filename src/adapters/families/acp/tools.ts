import type { ToolCall, ToolKind } from '@agentclientprotocol/sdk/unstable'
import type { Effect } from '../../../contract/dialogue.ts'
import type { AccessKind, ToolAccess } from '../../../contract/events.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import {
  asNumber,
  asRecord,
  asRecords,
  asString,
  isRecord,
  type JsonRecord,
  parseRecord,
  textOf,
} from '../../../core/json.ts'
import { ownDenial } from '../../kit/denial.ts'
import { inputField } from '../../kit/tool-files.ts'
import { mcpTool, type ToolMap, toolDone, toolReady } from '../../kit/tools.ts'
import type { AcpProfile } from './profile.ts'
import type { Native } from './rpc.ts'
import type { AcpState, Tool } from './state.ts'
import { fileEffects, named, pathsOf } from './tool-files.ts'
import { kindOf, nameOf } from './tool-names.ts'
import { contentText, errorOf, exitOf, plainResult, shellText } from './tool-output.ts'

/** A shell is known by the kind of the call, not by its name. */
function mapFor({ toolName, kind }: Tool): ToolMap {
  return kind === 'execute' ? { [toolName]: { kind: 'shell', command: 'command' } } : {}
}

function hasCommand(input: unknown): boolean {
  return isRecord(input) && (typeof input.command === 'string' || Array.isArray(input.command))
}

/** The input, with the command of a shell where it is only in the title. An empty input is a call without one. */
function inputOf({ kind, input: reported, shownInput, title, isEmptyInput }: Tool): unknown {
  const input = reported ?? shownInput
  if (kind !== 'execute' || hasCommand(input) || (input === undefined && isEmptyInput)) return input ?? {}
  return { ...asRecord(input), command: asString(asRecord(input)?.cmd) ?? title }
}

const ACCESS: Readonly<Record<ToolKind, AccessKind>> = {
  read: 'read',
  search: 'read',
  edit: 'edit',
  move: 'edit',
  delete: 'edit',
  execute: 'execute',
  fetch: 'fetch',
  think: 'other',
  switch_mode: 'other',
  other: 'other',
}

/** The input, or the changes where the agent shows only these. */
export function callInput(tool: Tool): unknown {
  if (tool.input !== undefined || tool.shownInput !== undefined || tool.kind === 'execute') return inputOf(tool)
  const changes = tool.content.filter((part) => part.type === 'diff')
  return changes.length > 0 ? { changes } : {}
}

/** What a call would touch. A command that is only in the title may be shortened there: it is not known in full. */
export function accessOf(tool: Tool): ToolAccess {
  if (mcpTool(tool.toolName)) return { kind: 'mcp', paths: [] }
  const kind = ACCESS[tool.kind]
  if (kind !== 'execute') return { kind, paths: kind === 'read' || kind === 'edit' ? [...new Set(pathsOf(tool))] : [] }
  const input = inputOf(tool)
  const command = inputField(input, 'command')
  if (!hasCommand(tool.input ?? tool.shownInput)) return { kind, command }
  const cwd = named(input, DIRECTORIES)
  return { kind, paths: [], command, ...(cwd === undefined ? {} : { cwd }) }
}

/** Where a command is to run, in the words of Gemini, Qwen, OpenCode and others. */
const DIRECTORIES = ['cwd', 'workdir', 'dir_path', 'directory', 'working_directory', 'workingDirectory']

/** `tool_call`, `tool_call_update`, or the call in a permission request: each reports what is new. */
export function toolChanged(state: AcpState, update: Native<ToolCall>): Effect[] {
  const toolCallId = asString(update.toolCallId)
  if (toolCallId === undefined) return [{ unrecognized: 'tool_call without id' }]
  const known = state.tools.get(toolCallId)
  if (known?.isDone) return NO_EFFECTS
  const tool = known ?? createTool(state, toolCallId, update)
  learn(state, tool, update)
  const effects: Effect[] = []
  if (!known) effects.push({ emit: { type: 'tool_call_start', toolCallId, toolName: tool.toolName } })
  const isOver = update.status === 'completed' || update.status === 'failed'
  if (isOver || isComplete(state, tool, update, known === undefined)) effects.push(...ready(state, tool))
  effects.push(...terminalData(tool, update._meta))
  if (isOver) effects.push(...done(state, plainResult(state, tool), update.status === 'failed'))
  return effects
}

function createTool(state: AcpState, toolCallId: string, update: Native<ToolCall>): Tool {
  const tool: Tool = {
    toolCallId,
    toolName: nameOf(state, update),
    kind: 'other',
    title: '',
    input: undefined,
    shownInput: undefined,
    isEmptyInput: false,
    output: undefined,
    content: [],
    paths: [],
    streamed: '',
    exitCode: undefined,
    isReady: false,
    isDone: false,
    isGranted: false,
    isRefused: false,
  }
  state.tools.set(toolCallId, tool)
  state.isSpeaking = false
  return tool
}

/** Each field that is there replaces the one before. */
function learn({ profile }: AcpState, tool: Tool, update: Native<ToolCall>): void {
  tool.kind = profile.toolKinds?.[tool.toolName] ?? kindOf(update) ?? tool.kind
  tool.title = asString(update.title) ?? tool.title
  if (isRecord(update.rawInput)) tool.isEmptyInput = isEmpty(update.rawInput)
  if (!isEmpty(update.rawInput)) {
    const dispatched = profile.mcpDispatcher && asRecord(update.rawInput)?.[profile.mcpDispatcher.input]
    tool.input = (mcpTool(tool.toolName) && dispatched) ?? update.rawInput
  }
  if (update.rawOutput !== undefined && update.rawOutput !== null) tool.output = update.rawOutput
  if (Array.isArray(update.content)) {
    tool.content = asRecords(update.content)
    if (tool.input === undefined && !tool.isReady) tool.shownInput = shownInput(profile, tool) ?? tool.shownInput
  }
  const paths = asRecords(update.locations).flatMap(({ path }) => asString(path) ?? [])
  if (paths.length > 0) tool.paths = paths
}

/** While a call is made, some agents show its input as text. */
function shownInput({ titledInput }: AcpProfile, tool: Tool): JsonRecord | null {
  const { toolName, title } = tool
  const text = contentText(tool)
  if (text.startsWith('{') && text.endsWith('}')) return parseRecord(text)
  return titledInput?.({ toolName, title, text }) ?? null
}

function isEmpty(input: unknown): boolean {
  return input === undefined || input === null || (isRecord(input) && Object.keys(input).length === 0)
}

/** The input is all there. Some agents begin a call before they know it, and send the input later. */
function isComplete({ profile }: AcpState, tool: Tool, update: Native<ToolCall>, isFirst: boolean): boolean {
  if (profile.startsWhole && tool.shownInput !== undefined) return true
  if (!isEmpty(update.rawInput))
    return tool.kind !== 'execute' || hasCommand(tool.input) || update.status === 'in_progress'
  return update.status === 'in_progress' && (isFirst || tool.input !== undefined)
}

/** From here on the call is known in full: also when somebody is asked about it. */
export function ready(state: AcpState, tool: Tool): Effect[] {
  if (tool.isReady) return NO_EFFECTS
  tool.isReady = true
  const { toolCallId, toolName } = tool
  const input = inputOf(tool)
  const effects = toolReady(mapFor(tool), { toolCallId, toolName, input }, state.options.cwd ?? '')
  if (isSubagentCall(state, tool)) {
    const prompt = named(input, ['prompt', 'description']) ?? tool.title
    effects.push({ emit: { type: 'subagent_spawn', ...subagent(tool), prompt } })
  }
  return effects
}

function isSubagentCall({ profile }: AcpState, { toolName, input }: Tool): boolean {
  if (profile.subagentTools?.includes(toolName)) return true
  return profile.subagentInput !== undefined && isRecord(input) && profile.subagentInput in input
}

/** What the agent says now comes from a sub-agent: this agent does not distinguish them. */
export function isSubagentSpeaking(state: AcpState): boolean {
  if (state.profile.subagentInput === undefined) return false
  return [...state.tools.values()].some((tool) => tool.isReady && !tool.isDone && isSubagentCall(state, tool))
}

function subagent(tool: Tool): { subagentId: string; agentName: string } {
  const agentName =
    named(inputOf(tool), ['subagent_type', 'subagentType', 'agent_type', 'agent', 'name']) ?? tool.toolName
  return { subagentId: tool.toolCallId, agentName }
}

/** Output as it comes, from agents that run their commands themselves and know that we want to see it. */
function terminalData(tool: Tool, meta: unknown): Effect[] {
  const data = asString(asRecord(asRecord(meta)?.terminal_output)?.data)
  const exit = asRecord(asRecord(meta)?.terminal_exit)
  tool.exitCode = asNumber(exit?.exit_code) ?? tool.exitCode
  if (data === undefined || data === '') return NO_EFFECTS
  tool.streamed += data
  if (tool.kind !== 'execute' || !tool.isReady) return NO_EFFECTS
  return [{ emit: { type: 'shell_stdout_delta', delta: data, toolCallId: tool.toolCallId } }]
}

/** Ends a call with its result. */
export function done(state: AcpState, tool: Tool, isReportedFailed: boolean): Effect[] {
  if (tool.isDone) return NO_EFFECTS
  tool.isDone = true
  const { toolCallId, toolName } = tool
  const call = { toolCallId, toolName, input: inputOf(tool) }
  const text = contentText(tool) || (state.profile.outputText?.(asRecord(tool.output) ?? {}) ?? '')
  const hasFailed = isReportedFailed || (state.profile.failedOutput?.test(text) ?? false)
  const verdict = unseenVerdict(state, tool, hasFailed ? text : null)
  const stdout = tool.isRefused ? '' : shellText(state, tool, text)
  const output = text || (tool.kind === 'execute' && stdout) || (tool.output ?? '')
  const error = hasFailed ? errorOf(tool, text || stdout) : undefined
  const outcome = {
    output,
    error,
    stdout: tool.streamed === '' ? stdout : '',
    exitCode: exitOf(state, tool),
  }
  const effects = [...verdict, ...toolDone(mapFor(tool), call, outcome)]
  if (error !== undefined && state.profile.deniedError?.test(error)) effects.unshift(...ownDenial(tool, error))
  if (isSubagentCall(state, tool) && !state.profile.backgroundOutput?.test(text)) {
    const of = subagent(tool)
    if (error === undefined) effects.push({ emit: { type: 'subagent_result', ...of, summary: textOf(output) } })
    else effects.push({ emit: { type: 'subagent_error', ...of, error } })
  }
  return hasFailed ? effects : [...effects, ...fileEffects(tool)]
}

const REFUSED = /\b(?:reject|denied|declined|cancell?ed by (?:the )?user|refused)/i

/** How a call was decided on, in a recording without the answers; live, the agent did not wait for one. `error`: it failed. */
function unseenVerdict(state: AcpState, tool: Tool, error: string | null): Effect[] {
  if (state.live && error === null) return NO_EFFECTS
  for (const [interactionId, request] of state.pending) {
    if (request.kind !== 'permission' || request.toolCallId !== tool.toolCallId) continue
    state.pending.delete(interactionId)
    tool.isRefused = error !== null && (state.live || REFUSED.test(error))
    if (!tool.isRefused) return [{ emit: { type: 'approval_granted', interactionId } }]
    return [{ emit: { type: 'approval_denied', interactionId, reason: error ?? '' } }]
  }
  return NO_EFFECTS
}

/** The call was refused: what the agent still says about it is not new. */
export function refused(state: AcpState, tool: Tool, reason: string): Effect[] {
  const effects = ready(state, tool)
  tool.isRefused = true
  if (tool.isDone) return effects
  tool.isDone = true
  const { toolCallId, toolName } = tool
  return [
    ...effects,
    ...toolDone(mapFor(tool), { toolCallId, toolName, input: inputOf(tool) }, { output: '', error: reason }),
  ]
}
