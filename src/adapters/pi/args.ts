import type { EndpointPlan } from '../../contract/adapter.ts'
import type { ApprovalMode, EndpointOverride, McpServerConfig, RunOptions } from '../../contract/run-options.ts'
import type { RunFile, SpawnArgs } from '../../contract/spawn.ts'
import { refuseSse } from '../../core/unsupported.ts'
import { APPROVAL_TITLE } from '../families/pi/dialogs.ts'
import { ENDPOINT_KEY, endpointModel, endpointModels, endpointStatements } from '../families/pi/endpoint.ts'
import { extensionFlags } from '../families/pi/extension.ts'
import { attachmentFlags, systemPromptFlags } from '../families/pi/flags.ts'
import { checkNewSessionId } from '../kit/new-session-id.ts'
import { joinPrompt } from '../kit/prompt.ts'
import { flag, spawnArgs } from '../kit/spawn-args.ts'
import { manifest } from './manifest.ts'

const READ_ONLY = ['read', 'grep', 'find', 'ls', 'tool_search']

/** The calls that need nobody's approval. Without a mode the CLI is as it is: nothing does. */
const FREE_TOOLS: Record<Exclude<ApprovalMode, 'yolo'>, string[]> = {
  prompt: READ_ONLY,
  'accept-edits': [...READ_ONLY, 'edit', 'write'],
  deny: READ_ONLY,
}

/** The CLI has no approvals of its own, but asks its extensions before each call: ours asks the user. */
function gateStatements({ approvalMode = 'yolo' }: RunOptions): string[] {
  if (approvalMode === 'yolo') return []
  return [
    `
  const free = new Set(${JSON.stringify(FREE_TOOLS[approvalMode])})
  pi.on('tool_call', async ({ toolCallId, toolName, input }, ctx) => {
    if (free.has(toolName)) return
    if (!ctx.hasUI) return { block: true, reason: 'agent-mux: this call needs an approval, and nobody is there to ask.' }
    const call = JSON.stringify({ toolCallId, toolName, input })
    if (await ctx.ui.confirm(${JSON.stringify(APPROVAL_TITLE)}, call)) return
    return { block: true, reason: 'agent-mux: denied by the user.' }
  })`,
  ]
}

function nativeMcpServer(server: McpServerConfig): object {
  const exposure = 'direct'
  if ('url' in server) return { url: server.url, headers: server.headers, exposure }
  return { command: server.command, args: server.args ?? [], env: server.env, exposure }
}

/** Servers of this run only, by the extension: the CLI has no flag for them. */
function mcpStatements({ mcpServers = [] }: RunOptions): string[] {
  if (mcpServers.length === 0) return []
  const registered = mcpServers.map(
    (server) => `
  pi.registerMcpServer(${JSON.stringify(server.name)}, ${JSON.stringify(nativeMcpServer(server))})`,
  )
  return ["\n  if (!pi.registerMcpServer) throw new Error('Only Pi 1.0 and newer knows MCP servers')", ...registered]
}

const QUIET = { PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' }

/** Model traffic to another endpoint, by an extension that adds it as a provider, and nothing to anybody else. */
export function endpointOverride(endpoint: EndpointOverride): EndpointPlan {
  const files: RunFile[] = []
  const args = extensionFlags([endpointStatements(endpoint, endpointModels(manifest))], files)
  return { env: { [ENDPOINT_KEY]: endpoint.apiKey, ...QUIET }, args, files }
}

export function statementsOf(options: RunOptions): string[] {
  const { endpoint } = options
  return [
    ...(endpoint ? [endpointStatements(endpoint, endpointModels(manifest, options.model))] : []),
    ...mcpStatements(options),
    ...gateStatements(options),
  ]
}

export function modelFlags(options: RunOptions): string[] {
  if (options.endpoint) return ['--model', endpointModel(manifest, options)]
  return flag('--model', options.model)
}

export function sessionFlags(options: RunOptions): string[] {
  return [
    ...flag('--session', options.sessionId),
    ...flag('--fork', options.forkSessionId),
    ...flag('--session-id', options.newSessionId),
    ...(options.noSession ? ['--no-session'] : []),
  ]
}

export function optionFlags(options: RunOptions): string[] {
  const { thinkingEffort, allowedTools, disallowedTools, skills = [] } = options
  return [
    ...flag('--thinking', thinkingEffort),
    ...(allowedTools?.length ? ['--tools', allowedTools.join(',')] : []),
    ...(disallowedTools?.length ? ['--exclude-tools', disallowedTools.join(',')] : []),
    ...skills.flatMap((skill) => ['--skill', skill]),
  ]
}

export function refuseUnsupported(options: RunOptions): void {
  refuseSse('pi', options)
  checkNewSessionId(options, { forForks: false })
}

/**
 * The live form is RPC mode and gets its prompt as the dialogue's first message; the one-shot form is JSON mode and
 * reads the prompt from stdin. It is never on the command line.
 */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  refuseUnsupported(options)
  const oneShot = options.nonInteractive === true
  const files: RunFile[] = []
  return spawnArgs(options, {
    command: manifest.cliCommand,
    args: [
      '--mode',
      oneShot ? 'json' : 'rpc',
      ...modelFlags(options),
      ...sessionFlags(options),
      ...optionFlags(options),
      ...systemPromptFlags(options, files),
      ...extensionFlags(statementsOf(options), files),
      ...attachmentFlags('pi', options),
    ],
    env: options.endpoint && endpointOverride(options.endpoint).env,
    stdin: oneShot ? joinPrompt(options.prompt) : undefined,
    files,
  })
}
