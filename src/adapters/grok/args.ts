import type { EndpointPlan } from '../../contract/adapter.ts'
import { CapabilityError } from '../../contract/errors.ts'
import type { ApprovalMode, EndpointOverride, RunOptions } from '../../contract/run-options.ts'
import type { RunFile, SpawnArgs } from '../../contract/spawn.ts'
import { versionedUrl } from '../../core/endpoint.ts'
import { refuseSse } from '../../core/unsupported.ts'
import { sessionFlags } from '../families/claude-stream/flags.ts'
import { checkNewSessionId, UUID_FORM } from '../kit/new-session-id.ts'
import { joinPrompt } from '../kit/prompt.ts'
import { joinedFlag, joinedFlags, spawnArgs } from '../kit/spawn-args.ts'
import { manifest } from './manifest.ts'
import { profile } from './profile.ts'

/**
 * Whether a run takes the one-way stream. Only that can fork, choose an id, limit the turns and forbid tools; only ACP
 * takes another turn, asks for approvals, takes attachments and MCP servers, and accepts edits alone.
 */
export function usesStream(options: RunOptions): boolean {
  const { forkSessionId, newSessionId, maxTurns, allowedTools = [], disallowedTools = [] } = options
  if ([forkSessionId, newSessionId, maxTurns].some((option) => option !== undefined)) return true
  if (allowedTools.length > 0 || disallowedTools.length > 0) return true
  const needsAcp = options.mcpServers?.length || options.attachments?.length || options.approvalMode === 'accept-edits'
  return options.nonInteractive === true && !needsAcp
}

function refuseTogether(options: RunOptions): void {
  // Taken, and never asked for its tools (1.0.41).
  refuseSse('grok', options)
  if (!usesStream(options)) return
  const together = 'together with forkSessionId, newSessionId, maxTurns or tool lists'
  if (options.mcpServers?.length) throw new CapabilityError('grok', `mcpServers ${together}`)
  if (options.attachments?.length) throw new CapabilityError('grok', `attachments ${together}`)
  if (options.approvalMode === 'accept-edits') throw new CapabilityError('grok', `accept-edits ${together}`)
}

const APPROVAL_FLAGS: Record<ApprovalMode, string[]> = {
  prompt: [],
  'accept-edits': [],
  yolo: ['--always-approve'],
  deny: ['--permission-mode=dontAsk'],
}

// `--flag=value` throughout: a value that starts with a dash stays a value.
/** What its one-way stream and its own screen have in common. */
export function optionFlags(options: RunOptions): string[] {
  const { model, thinkingEffort, systemPrompt, approvalMode = 'prompt' } = options
  return [
    ...APPROVAL_FLAGS[approvalMode],
    ...joinedFlag('--model', model),
    ...joinedFlag('--reasoning-effort', thinkingEffort),
    ...joinedFlags('--allow', options.allowedTools),
    ...joinedFlags('--deny', options.disallowedTools),
    ...sessionFlags(options),
    ...joinedFlag(options.systemPromptMode === 'replace' ? '--system-prompt-override' : '--rules', systemPrompt),
  ]
}

function streamFlags(options: RunOptions, files: RunFile[]): string[] {
  const { maxTurns, outputSchema } = options
  files.push({ name: 'prompt.txt', content: joinPrompt(options.prompt) })
  return [
    '--prompt-file={file:prompt.txt}',
    '--output-format=streaming-json',
    ...optionFlags(options),
    ...joinedFlag('--max-turns', maxTurns),
    ...joinedFlag('--json-schema', outputSchema && JSON.stringify(outputSchema)),
  ]
}

/** A leader process would be shared with the user's own sessions, and outlive the run. */
function acpFlags({ model, thinkingEffort, approvalMode }: RunOptions): string[] {
  return [
    'agent',
    '--no-leader',
    ...joinedFlag('--model', model),
    ...joinedFlag('--reasoning-effort', thinkingEffort),
    ...(approvalMode === 'yolo' ? ['--always-approve'] : []),
    ...profile.args,
  ]
}

/** Another endpoint, which must list its models. What the CLI asks models on the side is left out. */
export function endpointOverride(endpoint: EndpointOverride): EndpointPlan {
  return {
    env: {
      GROK_MODELS_BASE_URL: versionedUrl(endpoint, 'openai-chat'),
      XAI_API_KEY: endpoint.apiKey,
      GROK_CODE_XAI_API_KEY: '',
      GROK_PROMPT_SUGGESTIONS: '0',
      GROK_SESSION_RECAP: '0',
      GROK_TURN_SUMMARY: '0',
      GROK_TITLE_REFRESH: '0',
      GROK_TELEMETRY_ENABLED: '0',
      GROK_DISABLE_AUTOUPDATER: '1',
    },
    args: [],
    files: [],
  }
}

export function validate(options: RunOptions): void {
  checkNewSessionId(options, { form: UUID_FORM, forForks: true })
}

export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  refuseTogether(options)
  validate(options)
  const files: RunFile[] = []
  const isStream = usesStream(options)
  const endpoint = options.endpoint && endpointOverride(options.endpoint)
  return spawnArgs(options, {
    command: manifest.cliCommand,
    args: isStream ? streamFlags(options, files) : acpFlags(options),
    env: endpoint?.env,
    stdin: isStream ? '' : undefined,
    files,
  })
}
