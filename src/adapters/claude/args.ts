import type { EndpointPlan } from '../../contract/adapter.ts'
import type { ApprovalMode, EndpointOverride, RunOptions } from '../../contract/run-options.ts'
import type { RunFile, SpawnArgs } from '../../contract/spawn.ts'
import { plainUrl } from '../../core/endpoint.ts'
import { sessionFlags } from '../families/claude-stream/flags.ts'
import { continuesSession } from '../kit/continues-session.ts'
import { addMcpFile } from '../kit/mcp-file.ts'
import { checkNewSessionId, UUID_FORM } from '../kit/new-session-id.ts'
import { joinedFlag, joinedFlags, spawnArgs } from '../kit/spawn-args.ts'
import { addedDirectory } from './added-directory.ts'
import { manifest } from './manifest.ts'
import { promptContent } from './prompt.ts'

/**
 * `deny` has to deny: in `plan` the CLI lets its own classifier allow commands, and in `dontAsk` the allow rules and
 * hooks of the settings files still count. So `dontAsk`, with no settings file read.
 */
const APPROVAL_FLAGS: Record<ApprovalMode, string[]> = {
  prompt: [],
  'accept-edits': ['--permission-mode=acceptEdits'],
  yolo: ['--dangerously-skip-permissions'],
  deny: ['--permission-mode=dontAsk', '--setting-sources='],
}

export function systemPromptFlags(options: RunOptions, files: RunFile[]): string[] {
  const { systemPrompt, systemPromptMode = 'append' } = options
  if (systemPrompt === undefined) return []
  files.push({ name: 'system-prompt.txt', content: systemPrompt })
  const flag = systemPromptMode === 'replace' ? '--system-prompt-file' : '--append-system-prompt-file'
  const flags = [flag, '{file:system-prompt.txt}']
  // A conversation keeps the prompt of its first request unless a flag says otherwise.
  if (continuesSession(options)) flags.push('--system-prompt-snapshot=off')
  return flags
}

/** Without these rules it does not ask for commands that it takes for harmless, nor for what the user's settings allow. */
const ASK_FIRST = { permissions: { ask: ['Bash', 'PowerShell', 'Edit', 'Write', 'NotebookEdit', 'WebFetch'] } }

function policyFlags({ policy, approvalMode = 'prompt' }: RunOptions): string[] {
  return policy === undefined || approvalMode !== 'prompt' ? [] : [`--settings=${JSON.stringify(ASK_FIRST)}`]
}

// `--flag=value` throughout: a value that starts with a dash stays a value, and a list flag takes no more than its own.
export function optionFlags(options: RunOptions): string[] {
  return [
    ...joinedFlag('--model', options.model),
    ...joinedFlag('--effort', options.thinkingEffort),
    ...joinedFlag('--max-turns', options.maxTurns),
    ...joinedFlag('--json-schema', options.outputSchema && JSON.stringify(options.outputSchema)),
    ...joinedFlags('--add-dir', options.addDirs),
    ...joinedFlags('--allowedTools', options.allowedTools),
    ...joinedFlags('--disallowedTools', options.disallowedTools),
    ...(options.noSession ? ['--no-session-persistence'] : []),
    ...APPROVAL_FLAGS[options.approvalMode ?? 'prompt'],
    ...policyFlags(options),
    ...sessionFlags(options),
  ]
}

/** Sends the model traffic to another endpoint, and nothing to anybody else. */
export function endpointOverride(endpoint: EndpointOverride): EndpointPlan {
  return {
    env: {
      ANTHROPIC_BASE_URL: plainUrl(endpoint, 'anthropic'),
      ANTHROPIC_API_KEY: endpoint.apiKey,
      // Empty counts as unset: the user's own credentials and clouds must not win over the endpoint, nor be sent to it.
      ANTHROPIC_AUTH_TOKEN: '',
      CLAUDE_CODE_OAUTH_TOKEN: '',
      CLAUDE_CODE_USE_BEDROCK: '',
      CLAUDE_CODE_USE_VERTEX: '',
      CLAUDE_CODE_USE_FOUNDRY: '',
      CLAUDE_CODE_USE_MANTLE: '',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_AUTOUPDATER: '1',
    },
    args: [],
    files: [],
  }
}

// The echo of our messages reports when the CLI takes them up.
const LIVE_FLAGS = ['--input-format=stream-json', '--permission-prompt-tool=stdio', '--replay-user-messages']

/**
 * The live form speaks stream-json both ways and gets its prompt as the dialogue's first message; the one-shot form
 * reads the prompt from stdin. It is never on the command line.
 */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  checkNewSessionId(options, { form: UUID_FORM, forForks: true })
  const content = promptContent(options)
  const oneShot = options.nonInteractive === true
  const files: RunFile[] = []
  const mcpFile = addMcpFile(files, options.mcpServers)
  const added = addedDirectory(options, files)
  const maxOutputTokens = options.maxOutputTokens ?? options.maxTokens
  return spawnArgs(options, {
    command: manifest.cliCommand,
    args: [
      '-p',
      ...systemPromptFlags(options, files),
      // `--mcp-config` takes any number of values, so a flag has to follow it.
      ...(mcpFile === null ? [] : ['--mcp-config', mcpFile]),
      '--output-format=stream-json',
      '--verbose',
      ...(options.stream === false ? [] : ['--include-partial-messages']),
      ...(oneShot ? [] : LIVE_FLAGS),
      ...optionFlags(options),
      ...added.args,
    ],
    env: {
      ...added.env,
      ...(options.endpoint ? endpointOverride(options.endpoint).env : {}),
      ...(maxOutputTokens === undefined ? {} : { CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxOutputTokens) }),
    },
    stdin: oneShot && typeof content === 'string' ? content : undefined,
    files,
  })
}
