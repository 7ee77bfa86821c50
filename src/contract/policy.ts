import type { AccessKind } from './events.ts'

/** What a rule is about. Every field that is given has to fit; `*` stands for anything. */
export interface PolicyMatch {
  kind?: AccessKind | undefined
  /** Of a file that is read or written: relative to the directory of the run, absolute, or below `~/`. `**` crosses directories. */
  path?: string | undefined
  /** One simple command: the parts between `&&`, `;`, `|` and so on are matched separately. */
  command?: string | undefined
  /** The agent's own name of the tool. */
  tool?: string | undefined
}

/** Exactly one of `allow`, `deny` and `ask`. */
export interface PolicyRule {
  allow?: PolicyMatch | undefined
  deny?: PolicyMatch | undefined
  ask?: PolicyMatch | undefined
  /** Shown with the decision; a denial sends it to the agent. */
  reason?: string | undefined
}

/** The answer of a policy to one request. */
export type PolicyDecision = 'allow' | 'deny' | 'ask'

/** Answers the approvals of an agent. Of all rules that fit, the most restrictive counts: deny, then ask, then allow. */
export interface Policy {
  version: 1
  rules: PolicyRule[]
  /** For what no rule fits. `ask` unless given. */
  default?: PolicyDecision | undefined
}
