import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { AgentMuxError } from '../contract/errors.ts'
import type { Policy } from '../contract/policy.ts'
import { isPolicy, policyFault } from '../core/policy/check-policy.ts'

/** A policy from its file, JSON or YAML. A file that cannot be used is an error, never a run without rules. */
export function readPolicyFile(given: string): Policy {
  const path = given.startsWith('~/') ? join(homedir(), given.slice(2)) : given
  const value = parsed(path, textOf(path))
  if (isPolicy(value)) return value
  throw refused(`${path} is not a policy: ${policyFault(value)}`)
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw refused(`Cannot read the policy ${path}: ${messageOf(error)}`)
  }
}

function parsed(path: string, text: string): unknown {
  try {
    if (!/\.ya?ml$/i.test(path)) return JSON.parse(text)
    // Only who has such a file loads the parser.
    const yaml: typeof import('yaml') = createRequire(import.meta.url)('yaml')
    return yaml.parse(text, { maxAliasCount: 100 })
  } catch (error) {
    throw refused(`${path} cannot be parsed: ${messageOf(error)}`)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function refused(message: string): AgentMuxError {
  return new AgentMuxError('CONFIG_ERROR', message, { hint: 'docs/policy.md has an example.' })
}
