import { resolve } from 'node:path'
import type {
  CreateTerminalRequest,
  EnvVariable,
  ReadTextFileRequest,
  TerminalOutputRequest,
  ToolKind,
  WriteTextFileRequest,
} from '@agentclientprotocol/sdk/unstable'
import type { Effect, HostRequest, HostResult } from '../../../contract/dialogue.ts'
import type { ToolAccess } from '../../../contract/events.ts'
import { quoteWord } from '../../../core/command-line.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import { asArray, asNumber, asRecords, asString, type JsonRecord } from '../../../core/json.ts'
import { inputField } from '../../kit/tool-files.ts'
import { hostEffect } from './host-effect.ts'
import { denialReason, verdictOf } from './permissions.ts'
import { INTERNAL_ERROR, INVALID_PARAMS, type Native, RESOURCE_NOT_FOUND, reply, replyError } from './rpc.ts'
import type { AcpState, RequestId } from './state.ts'
import { pathsOf } from './tool-files.ts'
import { callInput } from './tools.ts'
import { turnRecorded } from './turns.ts'

type Reader = (state: AcpState, params: JsonRecord) => HostRequest | null

const terminalRequest =
  (type: 'terminal_output' | 'terminal_wait' | 'terminal_kill' | 'terminal_release'): Reader =>
  (_state, params) => {
    const { terminalId }: Native<TerminalOutputRequest> = params
    return typeof terminalId === 'string' ? { type, terminalId } : null
  }

/** The methods with which an agent uses our files and terminals. */
const READERS: Readonly<Record<string, Reader>> = {
  'fs/read_text_file': readRequest,
  'fs/write_text_file': writeRequest,
  'terminal/create': createRequest,
  'terminal/output': terminalRequest('terminal_output'),
  'terminal/wait_for_exit': terminalRequest('terminal_wait'),
  'terminal/kill': terminalRequest('terminal_kill'),
  'terminal/release': terminalRequest('terminal_release'),
}

function readRequest(_state: AcpState, { path, line, limit }: Native<ReadTextFileRequest>): HostRequest | null {
  if (typeof path !== 'string') return null
  return { type: 'read_text_file', path, line: asNumber(line), limit: asNumber(limit) }
}

function writeRequest(_state: AcpState, { path, content }: Native<WriteTextFileRequest>): HostRequest | null {
  if (typeof path !== 'string' || typeof content !== 'string') return null
  return { type: 'write_text_file', path, content }
}

function createRequest(state: AcpState, params: Native<CreateTerminalRequest>): HostRequest | null {
  const { command, args, env, cwd, outputByteLimit } = params
  if (typeof command !== 'string') return null
  state.terminalCount += 1
  const pairs = asRecords(env).map(({ name, value }: Native<EnvVariable>): [string, string] => [
    asString(name) ?? '',
    asString(value) ?? '',
  ])
  return {
    type: 'terminal_create',
    terminalId: `terminal-${state.terminalCount}`,
    command,
    args: asArray(args).flatMap((arg) => asString(arg) ?? []),
    env: Object.fromEntries(pairs.filter(([name]) => name !== '')),
    cwd: asString(cwd),
    outputByteLimit: asNumber(outputByteLimit),
  }
}

/** Null: the method is none of these. */
export function hostRequest(state: AcpState, id: RequestId, method: string, params: JsonRecord): Effect[] | null {
  const read = Object.hasOwn(READERS, method) ? READERS[method] : undefined
  if (!read) return null
  if (!state.live) return NO_EFFECTS
  const request = read(state, params)
  if (request === null) return [replyError(id, INVALID_PARAMS, `The parameters of ${method} are not complete.`)]
  const kind = kindNeeded(request)
  const verdict = kind === null || isGranted(state, request, kind) ? 'allow' : verdictOf(state, kind)
  if (verdict === 'allow') return [perform(state, id, request)]
  if (verdict === 'deny') return [replyError(id, INTERNAL_ERROR, denialReason(state))]
  return ask(state, id, request)
}

/** Only what changes something needs to be allowed. */
function kindNeeded({ type }: HostRequest): ToolKind | null {
  if (type === 'write_text_file') return 'edit'
  return type === 'terminal_create' ? 'execute' : null
}

/** Somebody has allowed the call that this is a part of. The request does not say which, so its file has to fit. */
function isGranted(state: AcpState, request: HostRequest, kind: ToolKind): boolean {
  if (state.options.approvalMode === 'deny') return false
  if (state.alwaysGranted.has(kind)) return true
  const { cwd = '.' } = state.options
  return [...state.tools.values()].some((tool) => {
    if (!tool.isGranted || tool.isDone) return false
    if (request.type === 'write_text_file') return pathsOf(tool).some((path) => resolve(cwd, path) === request.path)
    // With a policy the command itself has to be the one that was allowed.
    if (state.options.policy !== undefined)
      return accessOf(state, request).command === inputField(callInput(tool), 'command')
    return tool.kind === kind
  })
}

function inputOf(request: HostRequest): JsonRecord {
  if (request.type === 'write_text_file') return { path: request.path, content: request.content }
  if (request.type !== 'terminal_create') return {}
  const { command, args, cwd, env } = request
  return { command: [command, ...args], cwd, ...(Object.keys(env).length > 0 ? { env } : {}) }
}

function accessOf({ profile }: AcpState, request: HostRequest): ToolAccess {
  if (request.type === 'write_text_file') return { kind: 'edit', paths: [request.path] }
  if (request.type !== 'terminal_create') return { kind: 'other' }
  const { command, args, env, cwd } = request
  // Without arguments it is a line for a shell.
  const line = args.length === 0 ? command : [command, ...args].map(quoteWord).join(' ')
  // Variables change what a command does, and no rule reads them.
  const isHarmless = ([name, value]: [string, string]) => profile.harmlessVariables?.test(`${name}=${value}`) ?? false
  if (!Object.entries(env).every(isHarmless)) return { kind: 'execute', command: line }
  return { kind: 'execute', paths: [], command: line, ...(cwd === undefined ? {} : { cwd }) }
}

function ask(state: AcpState, id: RequestId, request: HostRequest): Effect[] {
  const interactionId = `host-${id}`
  state.pending.set(interactionId, { kind: 'host', id, request })
  const event =
    request.type === 'terminal_create'
      ? ({ action: 'execute', detail: [request.command, ...request.args].join(' '), riskLevel: 'high' } as const)
      : ({ action: 'edit', detail: 'path' in request ? request.path : '', riskLevel: 'medium' } as const)
  const known = { input: inputOf(request), ...accessOf(state, request) }
  return [{ emit: { type: 'approval_request', interactionId, toolName: event.action, ...event, ...known } }]
}

export function perform(state: AcpState, id: RequestId, request: HostRequest): Effect {
  return hostEffect(state, request, id)
}

/** What became of it goes back to the agent. */
export function hostAnswered(state: AcpState, requestId: string, result: HostResult): Effect[] {
  const waiting = state.hostRequests.get(requestId)
  if (!waiting) return NO_EFFECTS
  state.hostRequests.delete(requestId)
  const { id, request } = waiting
  if (id === undefined) return turnRecorded(state, result)
  const terminalId = 'terminalId' in request ? request.terminalId : ''
  switch (result.type) {
    case 'error': {
      // For the agent, what is outside the workspace is not there: it looks for files of its own in many places.
      const isMissing = result.reason === 'not_found' || request.type === 'read_text_file'
      return [replyError(id, isMissing ? RESOURCE_NOT_FOUND : INTERNAL_ERROR, result.message)]
    }
    case 'text':
      return [reply<'fs/read_text_file'>(id, { content: result.content })]
    case 'output': {
      const { output, truncated, exit } = result
      state.terminals.set(terminalId, { output, exitCode: exit?.exitCode ?? null })
      return [reply<'terminal/output'>(id, { output, truncated, exitStatus: exit })]
    }
    case 'exit': {
      const { output = '' } = state.terminals.get(terminalId) ?? {}
      state.terminals.set(terminalId, { output, exitCode: result.exit.exitCode })
      return [reply<'terminal/wait_for_exit'>(id, result.exit)]
    }
    case 'done':
      if (request.type === 'terminal_create') return [reply<'terminal/create'>(id, { terminalId })]
      return [reply<'fs/write_text_file'>(id, {})]
  }
}
