import type { ApprovalMode, McpServerConfig, RunOptions } from '../../contract/run-options.ts'
import type { RunFile, SpawnArgs } from '../../contract/spawn.ts'
import { mcpServersByName } from '../kit/mcp-file.ts'
import { promptWithSystem } from '../kit/prompt.ts'
import { flag, spawnArgs } from '../kit/spawn-args.ts'
import { manifest } from './manifest.ts'

const EDITS = ['create_file', 'edit_file', 'undo_edit'].map((tool) => ({ tool, action: 'allow' }))

const APPROVAL_SETTINGS: Record<Exclude<ApprovalMode, 'prompt'>, object> = {
  'accept-edits': { 'amp.permissions': EDITS },
  yolo: { 'amp.dangerouslyAllowAll': true },
  deny: { 'amp.permissions': [{ tool: '*', action: 'reject' }] },
}

/** There is no flag for it. */
function approvalFlags({ approvalMode = 'prompt' }: RunOptions, files: RunFile[]): string[] {
  if (approvalMode === 'prompt') return []
  files.push({ name: 'settings.json', content: JSON.stringify(APPROVAL_SETTINGS[approvalMode]) })
  return ['--settings-file', '{file:settings.json}']
}

function nativeMcpServer(server: McpServerConfig): object {
  if ('command' in server) return { command: server.command, args: server.args ?? [], env: server.env }
  return { url: server.url, headers: server.headers }
}

/** In a file, because headers and variables hold secrets. */
function mcpFlags({ mcpServers = [] }: RunOptions, files: RunFile[]): string[] {
  if (mcpServers.length === 0) return []
  files.push({ name: 'mcp.json', content: JSON.stringify(mcpServersByName(mcpServers, nativeMcpServer)) })
  return ['--mcp-config', '{file:mcp.json}']
}

/** One turn: the prompt by stdin, records out. */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  const files: RunFile[] = []
  const { sessionId, model } = options
  return spawnArgs(options, {
    command: manifest.cliCommand,
    args: [
      ...(sessionId === undefined ? [] : ['threads', 'continue', sessionId]),
      '--execute',
      '--stream-json',
      '--stream-json-thinking',
      '--no-archive-after-execute',
      '--no-ide',
      '--no-notifications',
      '--no-color',
      ...flag('--mode', model),
      ...approvalFlags(options, files),
      ...mcpFlags(options, files),
    ],
    stdin: promptWithSystem(options),
    files,
  })
}
