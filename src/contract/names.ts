import type { BuiltInAgentName } from './built-in-names.ts'

export type { BuiltInAgentName } from './built-in-names.ts'

// `string & {}` keeps editor completion for the built-in names while allowing any other.
export type AgentName = BuiltInAgentName | (string & {})
