import type { EndpointPlan } from '../../contract/adapter.ts'
import { AgentMuxError, CapabilityError, ValidationError } from '../../contract/errors.ts'
import type { ApprovalMode, EndpointOverride, RunOptions } from '../../contract/run-options.ts'
import type { LogFile, RunFile, SpawnArgs } from '../../contract/spawn.ts'
import { plainUrl } from '../../core/endpoint.ts'
import { newSessionIdFaults } from '../kit/new-session-id.ts'
import { joinedFlag, joinedFlags, spawnArgs } from '../kit/spawn-args.ts'
import { selectedAuth, transcriptOf, workingCopyOf } from './home.ts'
import { manifest } from './manifest.ts'
import { promptContent } from './prompt.ts'
import { settingsEnv } from './run-settings.ts'
import { GUARDED } from './tools.ts'

const SESSION_ID = { pattern: /^[A-Za-z0-9_-]{8,}$/, words: 'at least 8 letters, digits, - or _' }

/**
 * Whether a run takes the one-way stream. Only that can fork and choose an id; only ACP asks for approvals, shows
 * thoughts, takes MCP servers, and goes to another endpoint whatever the settings leave open.
 */
export function usesStream(options: RunOptions): boolean {
  if (options.forkSessionId !== undefined || options.newSessionId !== undefined) return true
  return options.nonInteractive === true && !options.endpoint && !options.mcpServers?.length
}

const APPROVAL_FLAGS: Record<ApprovalMode, string> = {
  prompt: '--approval-mode=default',
  'accept-edits': '--approval-mode=auto_edit',
  yolo: '--approval-mode=yolo',
  deny: '--approval-mode=plan',
}

export function validate(options: RunOptions): void {
  const { env, addDirs = [] } = options
  const fields = newSessionIdFaults(options, { form: SESSION_ID, forForks: false })
  const wrong = (field: string, message: string, received: unknown, expected: string) =>
    fields.push({ field, message, received, expected })
  for (const directory of addDirs.filter((one) => one.includes(','))) {
    wrong('addDirs', 'the CLI splits directories at commas', directory, 'a path without commas')
  }
  if (env?.GEMINI_SYSTEM_MD !== undefined) {
    wrong('env', 'GEMINI_SYSTEM_MD is set by systemPrompt', env.GEMINI_SYSTEM_MD, 'systemPrompt')
  }
  if (fields.length > 0) throw new ValidationError(fields)
}

/**
 * In the CLI's policy language; these are above what the mode or the user allows. In a live run that denies all,
 * the CLI has to ask for each thing, which shows what was refused.
 */
function policy(options: RunOptions): string {
  const { allowedTools = [], disallowedTools = [], approvalMode } = options
  const asked = approvalMode === 'deny' && !usesStream(options) ? GUARDED : []
  const rules = (tools: readonly string[], decision: string, priority: number) =>
    tools.map(
      (tool) => `[[rule]]\ntoolName = ${JSON.stringify(tool)}\ndecision = "${decision}"\npriority = ${priority}\n`,
    )
  return [
    ...rules(disallowedTools, 'deny', 999),
    ...rules(asked, 'ask_user', 998),
    ...rules(allowedTools, 'allow', 997),
  ].join('\n')
}

// `--flag=value` throughout: a value that starts with a dash stays a value.
export function optionFlags(options: RunOptions, files: RunFile[]): string[] {
  const flags = [...joinedFlag('--model', options.model), ...joinedFlags('--include-directories', options.addDirs)]
  const rules = policy(options)
  if (rules !== '') {
    files.push({ name: 'policy.toml', content: rules })
    flags.push('--policy={file:policy.toml}')
  }
  return flags
}

/** Of the forms that are not ACP. */
export function sessionFlags(options: RunOptions): string[] {
  const { sessionId, forkSessionId, newSessionId, approvalMode = 'prompt' } = options
  const flags = [
    APPROVAL_FLAGS[approvalMode],
    ...joinedFlag('--resume', sessionId),
    ...joinedFlag('--session-id', newSessionId),
  ]
  if (forkSessionId === undefined) return flags
  const file = transcriptOf(options, forkSessionId)
  if (file === undefined) throw new AgentMuxError('SESSION_NOT_FOUND', `There is no Gemini session ${forkSessionId}`)
  return [...flags, `--session-file=${file}`]
}

export function systemPromptEnv(
  { systemPrompt, systemPromptMode }: RunOptions,
  files: RunFile[],
): Record<string, string> {
  if (systemPrompt === undefined || systemPromptMode !== 'replace') return {}
  files.push({ name: 'system.md', content: systemPrompt })
  return { GEMINI_SYSTEM_MD: '{file:system.md}' }
}

/** Only with an API key does the CLI let its traffic be sent elsewhere; a Google account would go to Google anyway. */
export function requireKeyAuth(options: RunOptions): void {
  const auth = selectedAuth(options)
  if (auth === undefined || auth === 'gemini-api-key' || auth === 'gateway') return
  throw new CapabilityError('gemini', `another endpoint while its settings say "${auth}"`, {
    hint: 'Set security.auth.selectedType to "gemini-api-key" in ~/.gemini/settings.json.',
  })
}

/** Sends the model traffic to another endpoint. */
export function endpointOverride(endpoint: EndpointOverride): EndpointPlan {
  return {
    env: {
      GOOGLE_GEMINI_BASE_URL: plainUrl(endpoint, 'gemini'),
      GEMINI_API_KEY: endpoint.apiKey,
      // Each of these would choose another kind of account.
      GOOGLE_GENAI_USE_VERTEXAI: 'false',
      GOOGLE_GENAI_USE_GCA: 'false',
    },
    args: [],
    files: [],
  }
}

/**
 * With a pseudo terminal the output of a command is an array of cells, which the CLI's ACP form (0.61) leaves out of the
 * tool's result. Through pipes it is a string, and is passed on.
 */
const PIPED_SHELL = { GEMINI_PTY_INFO: 'child_process' }

/** The live form reports its retries only in its debug log (0.61); the one-shot form, on stderr as well. */
const LOG: LogFile = { path: '{file:debug.log}', lines: '\\bAttempt \\d+ failed|Retrying (?:after|with)' }

/**
 * The live form is ACP, which gets its prompt as the dialogue's first turn; the one-shot form reads the prompt from
 * stdin. It is never on the command line. `--skip-trust`: a run does not end for want of trust in the directory, yet
 * hooks and servers that a repository brings along stay off until the user himself has trusted it.
 */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  validate(options)
  if (options.endpoint) requireKeyAuth(options)
  const files: RunFile[] = []
  const isStream = usesStream(options)
  const endpoint = options.endpoint && endpointOverride(options.endpoint)
  const flags = ['--skip-trust', ...optionFlags(options, files)]
  if (!isStream) files.push({ name: 'debug.log', content: '' })
  return spawnArgs(options, {
    command: manifest.cliCommand,
    args: isStream ? ['--output-format=stream-json', ...sessionFlags(options), ...flags] : ['--acp', ...flags],
    env: {
      ...endpoint?.env,
      ...(isStream ? {} : { ...PIPED_SHELL, GEMINI_DEBUG_LOG_FILE: '{file:debug.log}' }),
      ...systemPromptEnv(options, files),
      ...settingsEnv(options, files, !isStream),
    },
    stdin: isStream ? promptContent(options) : undefined,
    files,
    logFile: isStream ? undefined : LOG,
    workingCopy: options.sessionId === undefined ? undefined : workingCopyOf(options, options.sessionId),
  })
}
