import { isAcpName } from '../adapters/families/acp/generic.ts'
import { isOptionName, type OptionName, rowOf } from '../contract/options.ts'
import { RUN_DEFAULTS } from '../contract/run-defaults.ts'
import type { JsonRecord } from '../core/json.ts'
import { isPolicy, joinPolicies, onlyNarrows } from '../core/policy/check-policy.ts'
import { readPolicyFile } from '../files/policy-file.ts'

const DEFAULTS: JsonRecord = RUN_DEFAULTS

export interface Narrowed {
  kept: JsonRecord
  /** What would have allowed more than the user does. */
  refused: OptionName[]
}

/** Of the options that a project gives, those that allow no more than `base`, what the user has without it. */
export function narrowed(given: JsonRecord, base: JsonRecord): Narrowed {
  const names = Object.keys(given).filter(isOptionName)
  const refused = names.filter((name) => given[name] !== undefined && !allows(name, given[name], base[name]))
  const kept = Object.entries(given).filter(([name]) => !refused.some((one) => one === name))
  return { kept: withBothPolicies(withMoreForbidden(Object.fromEntries(kept), base), base), refused }
}

function allows(name: OptionName, value: unknown, base: unknown): boolean {
  const { project, kind, choices = [] } = rowOf(name)
  const now = base ?? DEFAULTS[name]
  // A command line in place of an agent's name is a command of the project's own.
  if (name === 'agent') return !isAcpName(String(value))
  if (project !== 'narrows') return project === 'free'
  if (kind === 'strings') return true
  // A path would be one of the user's machine, in a place that the project chooses.
  if (kind === 'policy') return isPolicy(value) && onlyNarrows(value)
  if (kind === 'choice') return choices.indexOf(value) <= choices.indexOf(now)
  const limit = kind === 'duration' ? timeLimit : anyLimit
  return limit(value) <= limit(now)
}

/** Nothing at all is not a limit. What is not a number is refused later, with its name. */
function anyLimit(value: unknown): number {
  return typeof value === 'number' ? value : Number.POSITIVE_INFINITY
}

function timeLimit(value: unknown): number {
  return value === 0 ? Number.POSITIVE_INFINITY : anyLimit(value)
}

/** The rules of a project come in addition to the user's own. */
function withBothPolicies(kept: JsonRecord, base: JsonRecord): JsonRecord {
  if (kept.policy === undefined || base.policy === undefined) return kept
  const own = typeof base.policy === 'string' ? readPolicyFile(base.policy) : base.policy
  // Errors in the user's own settings are reported where they are read.
  return isPolicy(own) && isPolicy(kept.policy)
    ? { ...kept, policy: joinPolicies(own, kept.policy) }
    : { ...kept, policy: own }
}

/** A project adds to what is forbidden; it cannot take from it. */
function withMoreForbidden(kept: JsonRecord, base: JsonRecord): JsonRecord {
  const { disallowedTools } = kept
  if (!Array.isArray(disallowedTools) || !Array.isArray(base.disallowedTools)) return kept
  return { ...kept, disallowedTools: [...new Set([...base.disallowedTools, ...disallowedTools])] }
}
