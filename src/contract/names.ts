import type { BuiltInAgentName } from './built-in-names.ts'

export type { BuiltInAgentName } from './built-in-names.ts'

// `string & {}` keeps editor completion for the built-in names while allowing any other.
/** The name of an agent: a built-in one, or one that you register. */
export type AgentName = BuiltInAgentName | (string & {})
