import type { AcpProfile } from '../families/acp/profile.ts'
import { BACKGROUND, resultText } from './tools.ts'

export const GUIDANCE = 'Set XAI_API_KEY, or run `grok login`.'

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
  outputText: resultText,
  backgroundOutput: BACKGROUND,
  subagentTools: ['spawn_subagent'],
  systemPromptMeta: { append: 'rules', replace: 'systemPromptOverride' },
  exitWords: [{ pattern: /^.*Not signed in.*$/m, kind: 'auth' }],
}
