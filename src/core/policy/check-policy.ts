import type { Policy, PolicyDecision } from '../../contract/policy.ts'
import { isRecord, type JsonRecord } from '../json.ts'

const KINDS: readonly unknown[] = ['read', 'edit', 'execute', 'fetch', 'mcp', 'other']
const DECISIONS: readonly PolicyDecision[] = ['allow', 'deny', 'ask']
const MATCHES = ['kind', 'path', 'command', 'tool']

/** What is wrong with a policy; null when it is good. Anything that is not known is a fault: it was meant to do something. */
export function policyFault(value: unknown): string | null {
  if (!isRecord(value)) return 'it must be an object with version and rules'
  const { version, rules, default: otherwise = 'ask', ...more } = value
  const [unknown] = Object.keys(more)
  if (unknown !== undefined) return `"${unknown}" is not a field of a policy`
  if (version !== 1) return 'version must be 1'
  if (!Array.isArray(rules)) return 'rules must be a list'
  if (!DECISIONS.some((one) => one === otherwise)) return 'default must be "allow", "deny" or "ask"'
  for (const [index, rule] of rules.entries()) {
    const fault = isRecord(rule) ? ruleFault(rule) : 'it must be an object'
    if (fault !== null) return `rule ${index + 1}: ${fault}`
  }
  return null
}

export function isPolicy(value: unknown): value is Policy {
  return policyFault(value) === null
}

function ruleFault({ reason, ...decisions }: JsonRecord): string | null {
  const [given, ...more] = Object.entries(decisions).filter(([, value]) => value !== undefined)
  if (given === undefined || more.length > 0) return 'it must have exactly one of allow, deny and ask'
  const [decision, match] = given
  if (!DECISIONS.some((one) => one === decision)) return `"${decision}" is not allow, deny or ask`
  if (reason !== undefined && typeof reason !== 'string') return 'reason must be a text'
  if (!isRecord(match)) return `${decision} must be an object`
  for (const [name, value] of Object.entries(match)) {
    if (!MATCHES.includes(name)) return `"${name}" is not kind, path, command or tool`
    if (value === undefined) continue
    if (typeof value !== 'string' || value === '') return `${name} must be a text`
    if (name === 'kind' && !KINDS.includes(value)) return `"${value}" is not one of ${KINDS.join(', ')}`
    if (name === 'path' && /(?:^|\/)\.\.(?:\/|$)/.test(value.replace(/^(?:\.\.\/)+/, ''))) {
      return 'path may have ".." only at its beginning'
    }
  }
  const { kind, path, command } = match
  if (command !== undefined && kind !== undefined && kind !== 'execute') return 'only execute has a command'
  // A command has no files that are known for certain, so such a rule would never allow anything.
  if (decision === 'allow' && path !== undefined && (command !== undefined || !isOfFiles(kind))) {
    return 'a path can allow only read and edit'
  }
  return null
}

function isOfFiles(kind: unknown): boolean {
  return kind === undefined || kind === 'read' || kind === 'edit'
}

/** Whether a policy of a stranger allows nothing by itself. */
export function onlyNarrows({ rules, default: otherwise = 'ask' }: Policy): boolean {
  return otherwise !== 'allow' && rules.every(({ allow }) => allow === undefined)
}

/** Both hold: the rules of each, and the narrower default. */
export function joinPolicies(one: Policy, other: Policy): Policy {
  const defaults = [one.default ?? 'ask', other.default ?? 'ask']
  const narrowest = (['deny', 'ask', 'allow'] as const).find((decision) => defaults.includes(decision)) ?? 'ask'
  return { version: 1, rules: [...one.rules, ...other.rules], default: narrowest }
}
