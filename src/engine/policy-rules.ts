import type { ApprovalRequestEvent } from '../contract/events.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { decide, type PolicyVerdict } from '../core/policy/decide.ts'
import { policyPlace } from './policy-paths.ts'

export type PolicyRules = (request: ApprovalRequestEvent) => PolicyVerdict

/** The policy of a run; null when it has none. */
export function policyRules({ policy, cwd = process.cwd() }: RunOptions): PolicyRules | null {
  // A path has been read before a run begins.
  if (policy === undefined || typeof policy === 'string') return null
  return (request) => decide(policy, request, policyPlace(cwd))
}
