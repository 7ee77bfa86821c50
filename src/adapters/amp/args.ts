import type { ApprovalMode, McpServerConfig, RunOptions } from '../../contract/run-options.ts'
import type { RunFile, SpawnArgs } from '../../contract/spawn.ts'
import { joinPrompt, withSystemBlock } from '../../core/prompt.ts'
import { refuseOptions, type UnsupportedOptions } from '../../core/unsupported.ts'

const UNSUPPORTED: UnsupportedOptions = {
  thinkingEffort: 'Choose a mode by `model`: low, medium, high or ultra.',
  thinkingBudgetTokens: '',
  thinkingOverride: '',
  forkSessionId: '',
  newSessionId: 'The server chooses the id of a thread.',
  noSession: 'Threads live on the server.',
  outputSchema: '',
  maxTurns: '',
  addDirs: '',
  allowedTools: '',
  disallowedTools: '',
  skills: '',
  agentsDoc: 'Write it to AGENTS.md, or pass it as systemPrompt.',
  attachments: 'Name the files in the prompt.',
}

const EDITS = ['create_file', 'edit_file', 'undo_edit'].map((tool) => ({ tool, action: 'allow' }))

const SETTINGS: Record<Exclude<ApprovalMode, 'prompt'>, object> = {
  'accept-edits': { 'amp.permissions': EDITS },
  yolo: { 'amp.dangerouslyAllowAll': true },
  deny: { 'amp.permissions': [{ tool: '*', action: 'reject' }] },
}

/** There is no flag for it. */
function approvalFlags({ approvalMode = 'prompt' }: RunOptions, files: RunFile[]): string[] {
  if (approvalMode === 'prompt') return []
  files.push({ name: 'settings.json', content: JSON.stringify(SETTINGS[approvalMode]) })
  return ['--settings-file', '{file:settings.json}']
}

function nativeServer(server: McpServerConfig): object {
  if ('command' in server) return { command: server.command, args: server.args ?? [], env: server.env }
  return { url: server.url, headers: server.headers }
}

/** In a file, because headers and variables hold secrets. */
function mcpFlags({ mcpServers = [] }: RunOptions, files: RunFile[]): string[] {
  if (mcpServers.length === 0) return []
  const servers = Object.fromEntries(mcpServers.map((server) => [server.name, nativeServer(server)]))
  files.push({ name: 'mcp.json', content: JSON.stringify(servers) })
  return ['--mcp-config', '{file:mcp.json}']
}

/** One turn: the prompt by stdin, records out. */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  refuseOptions('amp', options, UNSUPPORTED)
  const files: RunFile[] = []
  const { sessionId, model, systemPrompt, cwd = process.cwd(), env = {} } = options
  const prompt = joinPrompt(options.prompt)
  return {
    command: 'amp',
    args: [
      ...(sessionId === undefined ? [] : ['threads', 'continue', sessionId]),
      '--execute',
      '--stream-json',
      '--stream-json-thinking',
      '--no-archive-after-execute',
      '--no-ide',
      '--no-notifications',
      '--no-color',
      ...(model === undefined ? [] : ['--mode', model]),
      ...approvalFlags(options, files),
      ...mcpFlags(options, files),
    ],
    env,
    cwd,
    usePty: false,
    stdin: systemPrompt === undefined ? prompt : withSystemBlock(systemPrompt, prompt),
    closeStdinAfterSpawn: true,
    timeout: options.timeout,
    inactivityTimeout: options.inactivityTimeout,
    files,
  }
}
