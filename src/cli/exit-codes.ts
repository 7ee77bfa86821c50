import { type ErrorCode, isAgentMuxError } from '../contract/errors.ts'
import type { OutcomeKind } from '../contract/outcome.ts'
import type { RunResult } from '../contract/run-handle.ts'

/** Every exit code of `amux`. Scripts rely on the numbers: they may be added to, never changed. */
export const EXIT_CODES = {
  ok: { code: 0, meaning: 'done; for `run`: the agent completed its turn' },
  general: { code: 1, meaning: 'anything not listed below' },
  usage: { code: 2, meaning: 'bad flag, argument or option' },
  unknownAgent: { code: 3, meaning: 'no adapter of that name' },
  notInstalled: { code: 4, meaning: "the agent's CLI is not on PATH" },
  auth: { code: 5, meaning: 'the agent is not signed in, or its key was refused' },
  capability: { code: 6, meaning: 'the agent cannot do what was asked for' },
  config: { code: 7, meaning: 'a config file is broken or locked' },
  session: { code: 8, meaning: 'no such session or account' },
  profile: { code: 9, meaning: 'no such profile' },
  plugin: { code: 10, meaning: 'a plugin operation failed' },
  timeout: { code: 11, meaning: 'the run, or a silence in it, took too long' },
  crash: { code: 12, meaning: "the agent's process died" },
  cancelled: { code: 13, meaning: 'interrupted, aborted or ended from outside' },
  rateLimited: { code: 14, meaning: 'rate limited by the provider' },
  contextExceeded: { code: 15, meaning: 'the conversation no longer fits the model' },
  permissionBlocked: { code: 16, meaning: 'a tool that the agent wanted was denied' },
  questionUnanswered: { code: 17, meaning: 'the agent asked and nobody answered' },
  quotaExhausted: { code: 18, meaning: 'the plan or credit is used up' },
  turnLimit: { code: 19, meaning: '--max-turns was reached' },
  budgetExceeded: { code: 20, meaning: '--max-cost was reached' },
  protocolDrift: { code: 21, meaning: 'the CLI spoke in a way its adapter does not know' },
  priceUnknown: {
    code: 22,
    meaning: 'the price of the model is not known, so --max-cost cannot be kept (give --price)',
  },
  outputInvalid: { code: 23, meaning: 'the answer does not fit --output-schema' },
} as const

type ExitName = keyof typeof EXIT_CODES

// Total over both unions: a new outcome or error code does not compile until it has an exit code.
const OF_OUTCOME: Record<OutcomeKind, ExitName> = {
  completed: 'ok',
  permission_blocked: 'permissionBlocked',
  question_unanswered: 'questionUnanswered',
  auth_required: 'auth',
  quota_exhausted: 'quotaExhausted',
  rate_limited: 'rateLimited',
  context_exhausted: 'contextExceeded',
  turn_limit: 'turnLimit',
  budget_exceeded: 'budgetExceeded',
  output_invalid: 'outputInvalid',
  cancelled: 'cancelled',
  timed_out: 'timeout',
  crashed: 'crash',
  protocol_drift: 'protocolDrift',
  failed: 'general',
}

const OF_ERROR: Record<ErrorCode, ExitName> = {
  CAPABILITY_ERROR: 'capability',
  VALIDATION_ERROR: 'usage',
  AUTH_ERROR: 'auth',
  UNKNOWN_AGENT: 'unknownAgent',
  AGENT_NOT_FOUND: 'unknownAgent',
  AGENT_NOT_INSTALLED: 'notInstalled',
  AGENT_CRASH: 'crash',
  SPAWN_ERROR: 'crash',
  TIMEOUT: 'timeout',
  INACTIVITY_TIMEOUT: 'timeout',
  PARSE_ERROR: 'general',
  CONFIG_ERROR: 'config',
  CONFIG_LOCK_ERROR: 'config',
  SESSION_NOT_FOUND: 'session',
  ACCOUNT_NOT_FOUND: 'session',
  PROFILE_NOT_FOUND: 'profile',
  PLUGIN_ERROR: 'plugin',
  RATE_LIMITED: 'rateLimited',
  QUOTA_EXHAUSTED: 'quotaExhausted',
  CONTEXT_EXCEEDED: 'contextExceeded',
  BUDGET_EXCEEDED: 'budgetExceeded',
  OUTPUT_INVALID: 'outputInvalid',
  PRICE_UNKNOWN: 'priceUnknown',
  MODEL_NOT_FOUND: 'general',
  MODEL_ERROR: 'general',
  REFUSED: 'general',
  PROTOCOL_DRIFT: 'protocolDrift',
  ABORTED: 'cancelled',
  RUN_NOT_ACTIVE: 'general',
  STDIN_NOT_AVAILABLE: 'general',
  NO_PENDING_INTERACTION: 'general',
  INTERACTION_NOT_FOUND: 'general',
  INVALID_STATE_TRANSITION: 'general',
  PTY_NOT_AVAILABLE: 'general',
  STORAGE_ERROR: 'general',
  INTERNAL: 'general',
}

export function exitCodeOfOutcome(kind: OutcomeKind): number {
  return EXIT_CODES[OF_OUTCOME[kind]].code
}

/** What can be wrong with a run before it begins, and is known only after `run()` has returned. */
const BEFORE_IT_BEGAN: readonly ErrorCode[] = ['SESSION_NOT_FOUND', 'VALIDATION_ERROR']

/** By its outcome; what was wrong before it began has a code of its own, as in every other command. */
export function exitCodeOfRun({ outcome, error }: Pick<RunResult, 'outcome' | 'error'>): number {
  const code = BEFORE_IT_BEGAN.find((one) => outcome.kind === 'failed' && error?.code === one)
  return code ? EXIT_CODES[OF_ERROR[code]].code : exitCodeOfOutcome(outcome.kind)
}

export function exitCodeOfError(error: unknown): number {
  return isAgentMuxError(error) ? EXIT_CODES[OF_ERROR[error.code]].code : EXIT_CODES.general.code
}
