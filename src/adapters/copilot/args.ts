import type { EndpointPlan } from '../../contract/adapter.ts'
import { CapabilityError, type FieldError, ValidationError } from '../../contract/errors.ts'
import type { ApprovalMode, EndpointOverride, McpServerConfig, RunOptions } from '../../contract/run-options.ts'
import type { RunFile, SpawnArgs } from '../../contract/spawn.ts'
import { refuseOptions, type UnsupportedOptions } from '../../core/unsupported.ts'
import { promptContent } from './prompt.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const UNSUPPORTED: UnsupportedOptions = {
  thinkingBudgetTokens: 'Use thinkingEffort.',
  thinkingOverride: 'Use thinkingEffort.',
  forkSessionId: 'The CLI forks sessions in its own screen only.',
  noSession: 'The CLI always keeps a session.',
  outputSchema: '',
  skills: '',
  agentsDoc: 'Write it to AGENTS.md, or pass it as systemPrompt.',
}

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

function validate({ newSessionId, sessionId, endpoint, model, env, mcpServers = [] }: RunOptions): void {
  const fields: FieldError[] = []
  const wrong = (field: string, message: string, received: unknown, expected: string) =>
    fields.push({ field, message, received, expected })
  if (newSessionId !== undefined && !UUID.test(newSessionId)) {
    wrong('newSessionId', 'must be a UUID', newSessionId, 'a UUID')
  }
  if (newSessionId !== undefined && sessionId !== undefined) {
    wrong('newSessionId', 'is for a new session only', newSessionId, 'no other session')
  }
  if (endpoint && model === undefined && env?.COPILOT_MODEL === undefined) {
    wrong('model', 'must be given with an endpoint', model, 'the id of a model there')
  }
  for (const { name } of mcpServers.filter((server) => !/^[\w-]+$/.test(server.name))) {
    wrong('mcpServers', 'must have letters, digits, - and _ in its name', name, 'such a name')
  }
  if (fields.length > 0) throw new ValidationError(fields)
}

function nativeMcpServer(server: McpServerConfig): object {
  if ('url' in server) {
    const type = server.transport === 'sse' ? 'sse' : 'http'
    return { type, url: server.url, headers: server.headers, tools: ['*'] }
  }
  return { type: 'local', command: server.command, args: server.args ?? [], env: server.env, tools: ['*'] }
}

/** In a file, because headers and variables hold secrets. */
function mcpFlags(servers: readonly McpServerConfig[] | undefined, files: RunFile[]): string[] {
  if (!servers?.length) return []
  const mcpServers = Object.fromEntries(servers.map((server) => [server.name, nativeMcpServer(server)]))
  files.push({ name: 'mcp.json', content: JSON.stringify({ mcpServers }) })
  return ['--additional-mcp-config=@{file:mcp.json}']
}

/** A rule such as `shell(git push)` can only be refused; a tool that is named is not offered at all. */
function toolFlags({ allowedTools = [], disallowedTools = [] }: RunOptions): string[] {
  return [
    ...allowedTools.map((tool) => `--allow-tool=${tool}`),
    ...disallowedTools.map((tool) => (tool.includes('(') ? `--deny-tool=${tool}` : `--excluded-tools=${tool}`)),
  ]
}

// `--flag=value` throughout: a value that starts with a dash stays a value, and a list flag takes no more than its own.
function optionFlags(options: RunOptions, files: RunFile[]): string[] {
  const flags = ['--no-auto-update', '--no-color']
  if (options.model !== undefined) flags.push(`--model=${options.model}`)
  if (options.thinkingEffort !== undefined) flags.push(`--reasoning-effort=${options.thinkingEffort}`)
  for (const directory of options.addDirs ?? []) flags.push(`--add-dir=${directory}`)
  return [
    ...flags,
    ...APPROVAL_FLAGS[options.approvalMode ?? 'prompt'],
    ...toolFlags(options),
    ...mcpFlags(options.mcpServers, files),
  ]
}

function streamFlags(options: RunOptions): string[] {
  const flags = ['--output-format=json']
  if (options.stream === false) flags.push('--stream=off')
  if (options.sessionId !== undefined) flags.push(`--resume=${options.sessionId}`)
  if (options.newSessionId !== undefined) flags.push(`--session-id=${options.newSessionId}`)
  for (const { filePath } of options.attachments ?? []) {
    if (filePath === undefined) {
      throw new CapabilityError('copilot', 'base64 and url attachments in a one-shot run', { hint: 'Use filePath.' })
    }
    flags.push(`--attachment=${filePath}`)
  }
  return flags
}

/** Sends the model traffic to another endpoint, and nothing to anybody else. */
export function endpointOverride({ baseUrl, apiKey, protocol = 'openai-chat' }: EndpointOverride): EndpointPlan {
  if (protocol === 'gemini') {
    const hint = 'The endpoint must speak openai-chat, openai-responses or anthropic.'
    throw new CapabilityError('copilot', 'the gemini protocol', { hint })
  }
  const provider: Record<string, string> =
    protocol === 'anthropic'
      ? { COPILOT_PROVIDER_TYPE: 'anthropic' }
      : {
          COPILOT_PROVIDER_TYPE: 'openai',
          COPILOT_PROVIDER_WIRE_API: protocol === 'openai-chat' ? 'completions' : 'responses',
        }
  return {
    env: {
      ...provider,
      COPILOT_PROVIDER_BASE_URL: baseUrl,
      COPILOT_PROVIDER_API_KEY: apiKey,
      COPILOT_OFFLINE: 'true',
    },
    args: [],
    files: [],
  }
}

/**
 * The live form is ACP, which gets its prompt as the dialogue's first turn; the one-shot form reads the prompt from
 * stdin. It is never on the command line.
 */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  refuseOptions('copilot', options, UNSUPPORTED)
  validate(options)
  const files: RunFile[] = []
  const isStream = usesStream(options)
  const endpoint = options.endpoint && endpointOverride(options.endpoint)
  const flags = optionFlags(options, files)
  return {
    command: 'copilot',
    args: isStream ? [...streamFlags(options), ...flags] : ['--acp', ...flags],
    env: { ...endpoint?.env, ...options.env },
    cwd: options.cwd ?? process.cwd(),
    usePty: false,
    ...(isStream ? { stdin: promptContent(options), closeStdinAfterSpawn: true } : {}),
    timeout: options.timeout,
    inactivityTimeout: options.inactivityTimeout,
    files,
  }
}
