import type { AcpProfile } from '../families/acp/profile.ts'
import { BACKGROUND, resultText } from './tools.ts'

export const GUIDANCE = 'Set XAI_API_KEY, or run `grok login`.'

/** How its commands are to look (1.0.41): colours, progress, and the name of the session. */
const HARMLESS_VARIABLES =
  /^(?:(?:TERM|COLORTERM|CLICOLOR(?:_FORCE)?|FORCE_COLOR|NO_COLOR|CI|CARGO_TERM_PROGRESS_\w+|NPM_CONFIG_PROGRESS|PIP_PROGRESS_BAR|GROK_SESSION_ID)=[\w-]*|MAVEN_OPTS=-Dstyle\.color=always|GRADLE_OPTS=-Dorg\.gradle\.console=rich)$/

/** `grok agent stdio`. The model, the effort and yolo are flags of the command line. */
export const profile: AcpProfile = {
  args: ['stdio'],
  modelFlag: '--model',
  replacesModels: true,
  effortVariable: '',
  authMethods: ['xai.api_key', 'cached_token'],
  guidance: GUIDANCE,
  mcpReady: '_x.ai/mcp_initialized',
  requestUsage: { method: '_x.ai/session_notification', update: 'response_completed' },
  mcpDispatcher: { tool: 'use_tool', name: 'tool_name', input: 'tool_input' },
  harmlessVariables: HARMLESS_VARIABLES,
  outputText: resultText,
  backgroundOutput: BACKGROUND,
  subagentTools: ['spawn_subagent'],
  systemPromptMeta: { append: 'rules', replace: 'systemPromptOverride' },
  exitWords: [{ pattern: /^.*Not signed in.*$/m, kind: 'auth' }],
}
