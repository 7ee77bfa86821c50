import type { EndpointPlan } from '../../contract/adapter.ts'
import { CapabilityError, ValidationError } from '../../contract/errors.ts'
import type {
  ApprovalMode,
  EndpointOverride,
  EndpointProtocol,
  McpServerConfig,
  RunOptions,
} from '../../contract/run-options.ts'
import type { LogFile, RunFile, SpawnArgs } from '../../contract/spawn.ts'
import { libraryUrl, protocolOf } from '../../core/endpoint.ts'
import { isMetered } from '../families/acp/profile.ts'
import { addMcpFile, nativeMcpServer } from '../kit/mcp-file.ts'
import { newSessionIdFaults, UUID_FORM } from '../kit/new-session-id.ts'
import { promptWithSystem } from '../kit/prompt.ts'
import { joinedFlag, joinedFlags, spawnArgs } from '../kit/spawn-args.ts'
import { manifest } from './manifest.ts'
import { profile } from './profile.ts'

/** Whether a run takes the one-way stream: only there can the caller choose the id of a session. */
export function usesStream({ nonInteractive, newSessionId }: RunOptions): boolean {
  return nonInteractive === true || newSessionId !== undefined
}

const APPROVAL_FLAGS: Record<ApprovalMode, readonly string[]> = {
  prompt: [],
  'accept-edits': ['--allow-tool=write'],
  yolo: ['--allow-all'],
  // Without these the CLI runs commands that it takes for harmless.
  deny: ['--deny-tool=write', '--deny-tool=shell'],
}

export function validate(options: RunOptions): void {
  const { endpoint, model, env, mcpServers = [] } = options
  const fields = newSessionIdFaults(options, { form: UUID_FORM, forForks: false })
  const wrong = (field: string, message: string, received: unknown, expected: string) =>
    fields.push({ field, message, received, expected })
  if (endpoint && model === undefined && env?.COPILOT_MODEL === undefined) {
    wrong('model', 'must be given with an endpoint', model, 'the id of a model there')
  }
  for (const { name } of mcpServers.filter((server) => !/^[\w-]+$/.test(server.name))) {
    wrong('mcpServers', 'must have letters, digits, - and _ in its name', name, 'such a name')
  }
  if (fields.length > 0) throw new ValidationError(fields)
}

function withAllTools(server: McpServerConfig): object {
  return { type: 'local', ...nativeMcpServer(server), tools: ['*'] }
}

/** A rule such as `shell(git push)` can only be refused; a tool that is named is not offered at all. */
function toolFlags({ allowedTools = [], disallowedTools = [] }: RunOptions): string[] {
  return [
    ...joinedFlags('--allow-tool', allowedTools),
    ...disallowedTools.map((tool) => (tool.includes('(') ? `--deny-tool=${tool}` : `--excluded-tools=${tool}`)),
  ]
}

// `--flag=value` throughout: a value that starts with a dash stays a value, and a list flag takes no more than its own.
export function optionFlags(options: RunOptions, files: RunFile[]): string[] {
  const mcpFile = addMcpFile(files, options.mcpServers, withAllTools)
  return [
    '--no-auto-update',
    '--no-color',
    ...joinedFlag('--model', options.model),
    ...joinedFlag('--reasoning-effort', options.thinkingEffort),
    ...joinedFlags('--add-dir', options.addDirs),
    ...APPROVAL_FLAGS[options.approvalMode ?? 'prompt'],
    ...toolFlags(options),
    ...(mcpFile === null ? [] : [`--additional-mcp-config=@${mcpFile}`]),
  ]
}

function streamFlags(options: RunOptions): string[] {
  const flags = [
    '--output-format=json',
    ...(options.stream === false ? ['--stream=off'] : []),
    ...joinedFlag('--resume', options.sessionId),
    ...joinedFlag('--session-id', options.newSessionId),
  ]
  for (const { filePath } of options.attachments ?? []) {
    if (filePath === undefined) {
      throw new CapabilityError('copilot', 'base64 and url attachments in a one-shot run', { hint: 'Use filePath.' })
    }
    flags.push(`--attachment=${filePath}`)
  }
  return flags
}

const PROVIDERS: Partial<Record<EndpointProtocol, Record<string, string>>> = {
  anthropic: { COPILOT_PROVIDER_TYPE: 'anthropic' },
  'openai-chat': { COPILOT_PROVIDER_TYPE: 'openai', COPILOT_PROVIDER_WIRE_API: 'completions' },
  'openai-responses': { COPILOT_PROVIDER_TYPE: 'openai', COPILOT_PROVIDER_WIRE_API: 'responses' },
}

/** Sends the model traffic to another endpoint, and nothing to anybody else. */
export function endpointOverride(endpoint: EndpointOverride): EndpointPlan {
  const protocol = protocolOf(manifest.capabilities, endpoint)
  return {
    env: {
      ...PROVIDERS[protocol],
      COPILOT_PROVIDER_BASE_URL: libraryUrl(endpoint, protocol),
      COPILOT_PROVIDER_API_KEY: endpoint.apiKey,
      COPILOT_OFFLINE: 'true',
    },
    args: [],
    files: [],
  }
}

/** The live form reports a request that failed only in its log (1.0.102). */
const LOG: LogFile = { path: '{file:log}/*.log', lines: '"http_status":' }
const LOG_FLAGS = ['--log-dir={file:log}', '--log-level=warning']

/**
 * The live form is ACP, which gets its prompt as the dialogue's first turn; the one-shot form reads the prompt from
 * stdin. It is never on the command line.
 */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  validate(options)
  const files: RunFile[] = []
  const isStream = usesStream(options)
  const endpoint = options.endpoint && endpointOverride(options.endpoint)
  // With a budget it asks us for each call, and we allow it.
  const asks = !isStream && isMetered(profile, options)
  const flags = optionFlags(asks ? { ...options, approvalMode: 'prompt' } : options, files)
  if (!isStream) files.push({ name: 'log/readme', content: 'The log of this run.\n' })
  return spawnArgs(options, {
    command: manifest.cliCommand,
    args: isStream ? [...streamFlags(options), ...flags] : ['--acp', ...LOG_FLAGS, ...flags],
    env: endpoint?.env,
    stdin: isStream ? promptWithSystem(options) : undefined,
    files,
    logFile: isStream ? undefined : LOG,
  })
}
