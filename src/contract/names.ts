/** Agents that ship with the package. Grows with every adapter; third parties may register any other name. */
export type BuiltInAgentName =
  | 'claude'
  | 'cline'
  | 'codex'
  | 'continue'
  | 'copilot'
  | 'droid'
  | 'gemini'
  | 'grok'
  | 'kilo'
  | 'kimi'
  | 'omp'
  | 'opencode'
  | 'opencode-http'
  | 'pi'
  | 'qwen'

// `string & {}` keeps editor completion for the built-in names while allowing any other.
export type AgentName = BuiltInAgentName | (string & {})
