import type { DialogueExit, Effect } from '../../contract/dialogue.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { type FailureKind, failTurn } from '../../core/failures.ts'
import type { DialogueState } from './state.ts'

const ROOT_HINT = '. Set IS_SANDBOX=1 in `env` if this is a sandbox, or choose another approvalMode.'

/** What the CLI says on stderr before it leaves without a result. */
const REFUSALS: readonly { pattern: RegExp; kind: FailureKind; hint?: string }[] = [
  { pattern: /^No conversation found with session ID.*$/m, kind: 'session_not_found' },
  { pattern: /^.*does not match any session title.*$/m, kind: 'session_not_found' },
  { pattern: /^.*root\/sudo privileges.*$/m, kind: 'invalid_request', hint: ROOT_HINT },
  { pattern: /^Error: .*$/im, kind: 'invalid_request' },
]

const STUB = /^.*native binary not installed.*$/m

function failWith(code: ErrorCode, kind: 'failed' | 'protocol_drift', message: string): Effect[] {
  const outcome = kind === 'failed' ? { kind, code, evidence: message } : { kind, evidence: message }
  return [{ fail: { event: { type: 'error', code, message, recoverable: false }, outcome } }]
}

/** The verdict on a process that ended in the middle of a turn. Nothing: the engine calls it a crash. */
export function exitEffects(state: DialogueState, { exitCode, signal, stderr }: DialogueExit): Effect[] {
  if (!state.busy || state.ended) return []
  const ended = signal === 'SIGTERM' || signal === 'SIGINT' || exitCode === 143 || exitCode === 130
  if (ended) return failTurn('cancelled', { message: 'Claude Code was told to end.' })
  const stub = STUB.exec(stderr)
  if (stub) {
    return failWith('AGENT_NOT_INSTALLED', 'failed', `${stub[0]} Run \`node install.cjs\` in its package.`)
  }
  if (exitCode === 0) {
    return failWith('PROTOCOL_DRIFT', 'protocol_drift', 'Claude Code ended without a result for the turn.')
  }
  // Once a session has begun, words on stderr are not the reason of an exit.
  if (exitCode !== 1 || state.sessionId !== '') return []
  for (const { pattern, kind, hint = '' } of REFUSALS) {
    const line = pattern.exec(stderr)?.[0]
    if (line !== undefined) return failTurn(kind, { message: line + hint })
  }
  return []
}
