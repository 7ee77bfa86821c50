import type { EndpointPlan } from '../../contract/adapter.ts'
import type { ApprovalMode, EndpointOverride, McpServerConfig, RunOptions } from '../../contract/run-options.ts'
import type { LogFile, RunFile, SpawnArgs } from '../../contract/spawn.ts'
import { versionedUrl } from '../../core/endpoint.ts'
import { sessionFlags } from '../families/claude-stream/flags.ts'
import { addMcpFile } from '../kit/mcp-file.ts'
import { promptWithMentions } from '../kit/mention.ts'
import { checkNewSessionId, UUID_FORM } from '../kit/new-session-id.ts'
import { joinedFlag, joinedFlags, spawnArgs } from '../kit/spawn-args.ts'
import { manifest } from './manifest.ts'

/** The CLI's own default is `auto`, where a model decides what is safe: never ours. For `deny` see `settings`. */
const APPROVAL_FLAGS: Record<ApprovalMode, string[]> = {
  prompt: ['--approval-mode=default'],
  'accept-edits': ['--approval-mode=auto-edit'],
  yolo: ['--approval-mode=yolo'],
  deny: ['--approval-mode=plan'],
}

export function nativeMcpServer(server: McpServerConfig): object {
  if ('url' in server) {
    return { [server.transport === 'sse' ? 'url' : 'httpUrl']: server.url, headers: server.headers }
  }
  return { command: server.command, args: server.args ?? [], env: server.env }
}

/**
 * What no flag can say. `deny` has to deny, but allow rules of the user count even in `plan`, unless another rule asks.
 * The live form gets the effort by its first request.
 */
function settings({ approvalMode, thinkingEffort, nonInteractive }: RunOptions): Record<string, object> {
  return {
    ...(approvalMode === 'deny' ? { permissions: { ask: ['Edit', 'Bash', 'WebFetch', 'mcp__*'] } } : {}),
    ...(thinkingEffort !== undefined && nonInteractive
      ? { model: { generationConfig: { reasoning: { effort: thinkingEffort } } } }
      : {}),
  }
}

/** Goes below the user's own settings, in the place of a machine's defaults. */
export function settingsEnv(options: RunOptions, files: RunFile[]): Record<string, string> {
  const wanted = settings(options)
  if (Object.keys(wanted).length === 0) return {}
  files.push({ name: 'system-defaults.json', content: JSON.stringify(wanted) })
  return { QWEN_CODE_SYSTEM_DEFAULTS_PATH: '{file:system-defaults.json}' }
}

export function systemPromptFlags({ systemPrompt, systemPromptMode = 'append' }: RunOptions): string[] {
  if (systemPrompt === undefined) return []
  return [`${systemPromptMode === 'replace' ? '--system-prompt' : '--append-system-prompt'}=${systemPrompt}`]
}

// `--flag=value` throughout: a value that starts with a dash stays a value, and a list flag takes no more than its own.
export function optionFlags(options: RunOptions): string[] {
  return [
    ...joinedFlag('--model', options.model),
    ...joinedFlag('--max-session-turns', options.maxTurns),
    ...joinedFlags('--add-dir', options.addDirs),
    ...joinedFlags('--allowed-tools', options.allowedTools),
    ...joinedFlags('--exclude-tools', options.disallowedTools),
    ...(options.noSession ? ['--chat-recording=false'] : []),
    ...APPROVAL_FLAGS[options.approvalMode ?? 'prompt'],
    ...sessionFlags(options),
  ]
}

/** Sends the model traffic to another endpoint, and nothing to anybody else. */
export function endpointOverride(endpoint: EndpointOverride): EndpointPlan {
  return {
    env: {
      OPENAI_BASE_URL: versionedUrl(endpoint, 'openai-chat'),
      OPENAI_API_KEY: endpoint.apiKey,
      QWEN_USAGE_STATISTICS_ENABLED: 'false',
      QWEN_TELEMETRY_ENABLED: 'false',
    },
    // The user's settings may choose another kind of account.
    args: ['--auth-type=openai'],
    files: [],
  }
}

/** It reports its first retries, of a minute and more, only in its debug log (0.24). */
const LOG: LogFile = { path: '~/.qwen/debug/{session}.txt', lines: '\\[RETRY\\].* Attempt \\d+ failed', isOurs: true }

/** Refused with the live form (0.24), which finds the schema below its prompt. */
function schemaFlags({ outputSchema }: RunOptions): string[] {
  return joinedFlag('--json-schema', outputSchema && JSON.stringify(outputSchema))
}

/**
 * The live form speaks stream-json both ways and gets its prompt as the dialogue's first message; the one-shot form
 * reads the prompt from stdin. It is never on the command line.
 */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  checkNewSessionId(options, { form: UUID_FORM, forForks: true })
  const prompt = promptWithMentions('qwen', options)
  const oneShot = options.nonInteractive === true
  const files: RunFile[] = []
  const mcpFile = addMcpFile(files, options.mcpServers, nativeMcpServer)
  const endpoint = options.endpoint && endpointOverride(options.endpoint)
  const maxOutputTokens = options.maxOutputTokens ?? options.maxTokens
  return spawnArgs(options, {
    command: manifest.cliCommand,
    args: [
      '--output-format=stream-json',
      ...(options.stream === false ? [] : ['--include-partial-messages']),
      ...(oneShot ? schemaFlags(options) : ['--input-format=stream-json']),
      ...systemPromptFlags(options),
      ...(mcpFile === null ? [] : [`--mcp-config=${mcpFile}`]),
      ...(endpoint?.args ?? []),
      ...optionFlags(options),
    ],
    env: {
      ...endpoint?.env,
      ...settingsEnv(options, files),
      QWEN_DEBUG_LOG_FILE: '1',
      ...(maxOutputTokens === undefined ? {} : { QWEN_CODE_MAX_OUTPUT_TOKENS: String(maxOutputTokens) }),
    },
    stdin: oneShot ? prompt : undefined,
    files,
    logFile: LOG,
  })
}
