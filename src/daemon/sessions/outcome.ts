import type { LaunchResult } from '../../contract/launch.ts'
import type { Outcome } from '../../contract/outcome.ts'

/** How a launch ended, also when no run tells. `killedBecause`: we have ended it ourselves. */
export function outcomeOf(result: LaunchResult, killedBecause: string | null): Outcome {
  const { result: run, error, exit, how } = result
  if (run) return killedBecause !== null && run.outcome.kind === 'cancelled' ? cancelled(killedBecause) : run.outcome
  if (error) {
    const evidence = error.hint === undefined ? error.message : `${error.message}. ${error.hint}`
    return { kind: 'failed', code: error.code, evidence }
  }
  if (killedBecause !== null) return cancelled(killedBecause)
  if (how === 'ended' && exit?.exitCode === 0) return { kind: 'completed' }
  if (exit?.signal) return { kind: 'crashed', evidence: `its process was ended by ${exit.signal}` }
  if (exit) return { kind: 'crashed', evidence: `its process exited with ${exit.exitCode}` }
  return { kind: 'crashed', evidence: 'its runner was gone before it had ended' }
}

function cancelled(evidence: string): Outcome {
  return { kind: 'cancelled', evidence }
}

/** When an agent that has reached a limit can be used again. Null: it has not, or does not tell. */
export function limitEnd(outcome: Outcome, now: number): number | null {
  if (outcome.kind === 'quota_exhausted') return outcome.resetAt ?? null
  if (outcome.kind === 'rate_limited' && outcome.retryAfterMs !== undefined) return now + outcome.retryAfterMs
  return null
}
