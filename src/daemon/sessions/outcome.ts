import type { LaunchResult } from '../../contract/launch.ts'
import type { Outcome } from '../../contract/outcome.ts'
import { datedOutcome } from '../../core/limit-end.ts'
import type { SessionRecord } from './record.ts'

/** How a launch ended, also when no run reports it: as its last turn did, unless we have ended it ourselves. */
export function outcomeOf(
  result: LaunchResult,
  { killedBecause, turn }: Pick<SessionRecord, 'killedBecause' | 'turn'>,
): Outcome {
  const { result: run, error, exit, how } = result
  if (run) {
    // Whether it went at once or its runner had to be ended: it was our doing.
    const isOurs = run.outcome.kind === 'cancelled' || how === 'lost'
    return killedBecause !== null && isOurs ? cancelled(killedBecause) : run.outcome
  }
  if (error) {
    const evidence = error.hint === undefined ? error.message : `${error.message}. ${error.hint}`
    if (error.code === 'BUDGET_EXCEEDED') return { kind: 'budget_exceeded', evidence }
    return { kind: 'failed', code: error.code, evidence }
  }
  if (killedBecause !== null) return cancelled(killedBecause)
  if (how === 'refused') return cancelled('it was cancelled before it had started')
  if (how === 'ended' && exit?.exitCode === 0) return turn?.outcome ?? { kind: 'completed' }
  if (exit) {
    const end = exit.signal ? `its process was ended by ${exit.signal}` : `its process exited with ${exit.exitCode}`
    return { kind: 'crashed', evidence: exit.lastWords ? `${end}: ${exit.lastWords}` : end }
  }
  return { kind: 'crashed', evidence: 'its runner was gone before it had ended' }
}

function cancelled(evidence: string): Outcome {
  return { kind: 'cancelled', evidence }
}

/** When an agent that has reached a limit can be used again. Null: it has not, or does not say. */
export function limitEnd(outcome: Outcome, now: number): number | null {
  // Nothing has put a date to what a terminal shows.
  const dated = datedOutcome(outcome, now)
  if (dated.kind === 'quota_exhausted') return dated.resetAt ?? null
  if (dated.kind === 'rate_limited' && dated.retryAfterMs !== undefined) return now + dated.retryAfterMs
  return null
}
