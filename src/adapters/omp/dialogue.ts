import type { Dialogue } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { acpDialogue } from '../families/acp/dialogue.ts'
import { eitherWire } from '../families/acp/either-wire.ts'
import { EXIT_WORDS, type PiDialect } from '../families/pi/dialect.ts'
import { piDialogue } from '../families/pi/dialogue.ts'
import { MCP_PLUGIN } from './mcp.ts'
import { resultFacts } from './results.ts'
import { TOOLS } from './tools.ts'

const dialect: PiDialect = {
  agent: 'omp',
  displayName: 'omp',
  guidance: 'Set the API key of the provider, for example ANTHROPIC_API_KEY, or run `omp` and use /login.',
  tools: TOOLS,
  silent: new Set([
    'ready',
    'turn_start',
    'turn_end',
    'tool_stream_update',
    'advisor_cost_changed',
    'advisor_yielded',
    'available_commands_update',
    'config_update',
    'config_warnings_changed',
    'goal_updated',
    'host_tool_call',
    'host_tool_cancel',
    'host_uri_cancel',
    'host_uri_request',
    'irc_message',
    'model_changed',
    'retry_fallback_applied',
    'retry_fallback_succeeded',
    'session_info_update',
    'thinking_level_changed',
    'todo_auto_clear',
    'todo_reminder',
    'ttsr_triggered',
    'subagent_progress',
    'subagent_event',
  ]),
  mcpPrefix: `mcp__${MCP_PLUGIN}_`,
  reportsSubagents: true,
  resultFacts,
  subagentTool: 'task',
  outputTail: /\n\nWall time: [\d.]+ seconds(?=$|\n\nCommand )/,
  deniedText: /requires approval but no interactive UI|denied by user|blocked by user policy/,
  maxRetries: 3,
  exitWords: EXIT_WORDS,
}

/** Speaks with omp over RPC. Its ACP is read where a recording holds it. */
export function createDialogue(options: RunOptions): Dialogue {
  const acp = acpDialogue('omp', { args: ['acp'], guidance: dialect.guidance })(options)
  return eitherWire({ usesAcp: false, acp, stream: piDialogue(dialect, options) })
}
