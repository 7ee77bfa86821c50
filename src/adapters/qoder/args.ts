import { CapabilityError } from '../../contract/errors.ts'
import type { ApprovalMode, McpServerConfig, RunOptions } from '../../contract/run-options.ts'
import type { RunFile, SpawnArgs } from '../../contract/spawn.ts'
import { refuseOptions, type UnsupportedOptions } from '../../core/unsupported.ts'
import { acpSpawnArgs } from '../acp/args.ts'
import type { AcpProfile } from '../acp/profile.ts'
import { manifest } from './manifest.ts'
import { promptContent } from './prompt.ts'

/** `--acp` is not in the help, and works. */
export const profile: AcpProfile = {
  args: ['--acp'],
  modelFlag: '--model',
  guidance: 'Run `qodercli login`, or set QODER_PERSONAL_ACCESS_TOKEN.',
  exits: [
    { pattern: /^.*NetworkAttemptError.*$/m, kind: 'network' },
    { pattern: /^.*exchangePersonalToken.*$/m, kind: 'auth' },
  ],
}

const PERMISSION_MODES: Partial<Record<ApprovalMode, string>> = {
  prompt: 'default',
  'accept-edits': 'accept_edits',
  yolo: 'bypass_permissions',
  deny: 'dont_ask',
}

const UNSUPPORTED: UnsupportedOptions = {
  thinkingOverride: '',
  newSessionId: 'The agent chooses the id of a new session itself.',
  outputSchema: '',
  maxTurns: '',
  skills: '',
  agentsDoc: 'Write it to AGENTS.md, or pass it as systemPrompt.',
}

function nativeServer(server: McpServerConfig): object {
  if ('command' in server) return { command: server.command, args: server.args ?? [], env: server.env }
  return { type: server.transport === 'sse' ? 'sse' : 'http', url: server.url, headers: server.headers }
}

/** In a file, because headers and variables hold secrets. */
function mcpFlags(servers: McpServerConfig[] = [], files: RunFile[]): string[] {
  if (servers.length === 0) return []
  const mcpServers = Object.fromEntries(servers.map((server) => [server.name, nativeServer(server)]))
  files.push({ name: 'mcp.json', content: JSON.stringify({ mcpServers }) })
  return ['--mcp-config={file:mcp.json}']
}

function sessionFlags({ sessionId, forkSessionId }: RunOptions): string[] {
  const resumed = sessionId ?? forkSessionId
  if (resumed === undefined) return []
  return [`--resume=${resumed}`, ...(forkSessionId === undefined ? [] : ['--fork-session'])]
}

function systemFlags({ systemPrompt, systemPromptMode }: RunOptions): string[] {
  if (systemPrompt === undefined) return []
  if (systemPromptMode === 'prepend') throw new CapabilityError('qoder', 'systemPromptMode prepend')
  return [`${systemPromptMode === 'replace' ? '--system-prompt' : '--append-system-prompt'}=${systemPrompt}`]
}

/** One turn of its own stream: the prompt by stdin, records out. */
function printArgs(options: RunOptions): SpawnArgs {
  refuseOptions('qoder', options, UNSUPPORTED)
  const files: RunFile[] = []
  const { model, addDirs = [], approvalMode = 'prompt', cwd = process.cwd(), env = {} } = options
  return {
    command: manifest.cliCommand,
    args: [
      '--print',
      '--output-format=stream-json',
      `--permission-mode=${PERMISSION_MODES[approvalMode]}`,
      ...(model === undefined ? [] : [`--model=${model}`]),
      ...addDirs.map((directory) => `--add-dir=${directory}`),
      ...sessionFlags(options),
      ...systemFlags(options),
      ...mcpFlags(options.mcpServers, files),
    ],
    env,
    cwd,
    usePty: false,
    stdin: promptContent(options),
    closeStdinAfterSpawn: true,
    timeout: options.timeout,
    inactivityTimeout: options.inactivityTimeout,
    files,
  }
}

const acpArgs = acpSpawnArgs(manifest, profile)

export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  return options.nonInteractive ? printArgs(options) : acpArgs(options)
}
