import { isAcpName } from '../../adapters/families/acp/generic.ts'
import type { RunResult } from '../../contract/run-handle.ts'
import type { Paint } from '../output.ts'
import { formatCost, formatCount, formatDuration, oneLine } from '../text.ts'

/** One line on how the run ended and what it took, and a second one on what to do when it did not complete. */
export function summaryLines(result: RunResult, paint: Paint): string[] {
  const { outcome, tokenUsage, cost, durationMs, sessionId } = result
  const completed = outcome.kind === 'completed'
  const verdict = completed
    ? paint('green', '✓ completed')
    : paint('red', `✗ ${outcome.kind}${outcome.evidence ? `: ${oneLine(outcome.evidence)}` : ''}`)
  const facts = [
    ...(tokenUsage ? [`${formatCount(tokenUsage.inputTokens)} in, ${formatCount(tokenUsage.outputTokens)} out`] : []),
    ...(tokenUsage || cost ? [formatCost(cost)] : []),
    formatDuration(durationMs),
    ...(sessionId && result.error?.code !== 'SESSION_NOT_FOUND' ? [`session ${sessionId}`] : []),
  ]
  const step = nextStep(result)
  return [`${verdict} ${paint('dim', `· ${facts.join(' · ')}`)}`, ...(step === null ? [] : [`  ${step}`])]
}

const NO_ACP =
  'Does this program speak the Agent Client Protocol on stdin and stdout? Start it by hand to see what it says.'

/** Codex 0.166 refuses a conversation that another of its processes has open, such as that of a managed session. */
const OPEN_ELSEWHERE = /already has an active writer/i

/** What the user can do about it, where there is something. */
function nextStep({ outcome, agent, sessionId }: RunResult): string | null {
  const goOn = sessionId ? ` Go on with: amux run ${agent} --session ${sessionId} …` : ''
  switch (outcome.kind) {
    case 'permission_blocked':
      return 'Allow it with --accept-edits, --yolo or --allow-tool NAME, or run on a terminal and answer.'
    case 'question_unanswered':
      return 'Run it on a terminal, or with -i, to answer.'
    case 'auth_required':
      return `\`amux auth check ${agent}\` shows how to sign in.`
    case 'quota_exhausted':
      return outcome.resetAt ? `It resets at ${new Date(outcome.resetAt).toLocaleString()}.` : null
    case 'rate_limited':
      return '`--retries N` waits and tries again.'
    case 'context_exhausted':
      return 'Start a new session, or ask for less at once.'
    case 'turn_limit':
      return `Raise --max-turns.${goOn}`
    case 'budget_exceeded':
      return `Raise --max-cost.${goOn}`
    case 'output_invalid':
      return `The answer is in the session.${goOn}`
    case 'cancelled':
      return goOn === '' ? null : goOn.trim()
    case 'crashed':
      return isAcpName(agent) ? NO_ACP : null
    case 'protocol_drift':
      return isAcpName(agent) ? NO_ACP : `\`amux verify ${agent}\` checks the installed version.`
    case 'failed':
      return OPEN_ELSEWHERE.test(outcome.evidence)
        ? 'Another process has this session open. If `amux ls` shows it: amux send NAME "…", or amux kill NAME first.'
        : null
    default:
      return null
  }
}
