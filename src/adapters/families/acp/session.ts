import { resolve } from 'node:path'
import type {
  AgentCapabilities,
  ClientCapabilities,
  McpCapabilities,
  McpServer,
  SessionCapabilities,
} from '@agentclientprotocol/sdk/unstable'
import type { Effect } from '../../../contract/dialogue.ts'
import type { McpServerConfig } from '../../../contract/run-options.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import { asRecord, asString, isRecord, type JsonRecord } from '../../../core/json.ts'
import { learnOptions } from './options.ts'
import { missingForPrompt, systemPromptField } from './prompt.ts'
import { type Native, request } from './rpc.ts'
import type { AcpState, Opening } from './state.ts'

const PROTOCOL_VERSION = 1
const CLIENT = { name: 'agent-mux', title: 'agent-mux', version: '0.1.0' }

/** What we can do for an agent. Without `_meta` some agents hide the output of commands and their way to sign in. */
function clientCapabilities({ options, profile }: AcpState): ClientCapabilities {
  const hasFiles = profile.withoutHostFiles !== true
  return {
    fs: { readTextFile: hasFiles, writeTextFile: hasFiles },
    terminal: profile.withoutHostTerminals !== true,
    ...(options.nonInteractive ? {} : { elicitation: { form: {} } }),
    _meta: { terminal_output: true, 'terminal-auth': true },
  }
}

export function initialize(state: AcpState): Effect {
  return request(state, { kind: 'initialize' }, 'initialize', {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: clientCapabilities(state),
    clientInfo: CLIENT,
  })
}

/** Opens the session that the options ask for. */
export function openSession(state: AcpState): Effect {
  const { options } = state
  const cwd = options.cwd ?? process.cwd()
  const common = {
    cwd,
    mcpServers: state.profile.mcpByFlag ? [] : (options.mcpServers ?? []).map(nativeServer),
    ...(options.addDirs?.length ? { additionalDirectories: options.addDirs.map((dir) => resolve(cwd, dir)) } : {}),
  }
  const opening = openingOf(state)
  const sessionId = options.sessionId ?? options.forkSessionId ?? ''
  switch (opening) {
    case 'new':
      return request(state, { kind: 'session', opening }, 'session/new', { ...common, ...systemPromptMeta(state) })
    case 'fork':
      return request(state, { kind: 'session', opening }, 'session/fork', { sessionId, ...common })
    case 'resume':
      return request(state, { kind: 'session', opening, sessionId }, 'session/resume', { sessionId, ...common })
    case 'load':
      state.replaying = true
      return request(state, { kind: 'session', opening, sessionId }, 'session/load', { sessionId, ...common })
  }
}

function systemPromptMeta(state: AcpState): JsonRecord {
  const field = systemPromptField(state)
  return field === undefined ? {} : { _meta: { [field]: state.options.systemPrompt } }
}

function offers(capability: unknown): boolean {
  return isRecord(capability) || capability === true
}

function sessionCapabilities(state: AcpState): Native<SessionCapabilities> {
  return asRecord(state.capabilities.sessionCapabilities) ?? {}
}

/** To resume is to go on without the history, which nobody here wants to see again; to load is the older way. */
function openingOf(state: AcpState): Opening {
  const { sessionId, forkSessionId } = state.options
  if (forkSessionId !== undefined) return 'fork'
  if (sessionId === undefined) return 'new'
  return offers(sessionCapabilities(state).resume) && !state.profile.resumesByLoad ? 'resume' : 'load'
}

/** What the options ask for and the agent does not offer, in words; null when there is nothing. */
export function lacks(state: AcpState): string | null {
  const { options } = state
  const { loadSession }: Native<AgentCapabilities> = state.capabilities
  const { resume, fork, additionalDirectories } = sessionCapabilities(state)
  if (options.sessionId !== undefined && !offers(resume) && loadSession !== true) return 'to go on with a session'
  if (options.forkSessionId !== undefined && !offers(fork)) return 'to fork a session'
  if (options.addDirs?.length && !offers(additionalDirectories)) return 'more directories than one'
  return lacksForServers(state) ?? missingForPrompt(state)
}

function transportOf(server: McpServerConfig): 'stdio' | 'http' | 'sse' {
  if ('command' in server) return 'stdio'
  return server.transport === 'sse' ? 'sse' : 'http'
}

function lacksForServers({ options, profile, capabilities }: AcpState): string | null {
  const { http, sse }: Native<McpCapabilities> = asRecord(capabilities.mcpCapabilities) ?? {}
  const offered = { stdio: true, http: http === true, sse: sse === true }
  if (profile.mcpByFlag) return null
  for (const server of options.mcpServers ?? []) {
    const transport = transportOf(server)
    if (!offered[transport]) return `MCP servers over ${transport} (${server.name})`
  }
  return null
}

function nativeServer(server: McpServerConfig): McpServer {
  const pairs = (record: Record<string, string> | undefined) =>
    Object.entries(record ?? {}).map(([name, value]) => ({ name, value }))
  if ('command' in server) {
    return { name: server.name, command: server.command, args: server.args ?? [], env: pairs(server.env) }
  }
  const type = server.transport === 'sse' ? 'sse' : 'http'
  return { type, name: server.name, url: server.url, headers: pairs(server.headers) }
}

/** The agent has opened the session. */
export function sessionOpened(state: AcpState, result: JsonRecord, opening: Opening, askedFor?: string): Effect[] {
  const sessionId = asString(result.sessionId) ?? askedFor ?? state.sessionId ?? ''
  const isFirst = !state.sessionOpen
  state.sessionId = sessionId
  state.sessionOpen = true
  const learnt = learnOptions(state, result)
  if (!isFirst) return NO_EFFECTS
  const forkedFrom = opening === 'fork' ? state.options.forkSessionId : undefined
  const resumed = opening === 'load' || opening === 'resume'
  const effects: Effect[] = [{ emit: { type: 'session_start', sessionId, resumed, forkedFrom } }]
  if (forkedFrom !== undefined) effects.push({ emit: { type: 'session_fork', sessionId, forkedFrom } })
  return [...effects, ...learnt]
}
