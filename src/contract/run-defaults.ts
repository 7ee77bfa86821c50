/** What holds for a run when nobody says anything: the engine goes by it, and so does what a project may narrow. */
export const RUN_DEFAULTS = {
  approvalMode: 'prompt',
  /** Agents that stream say something within seconds; some never do when they are not signed in. Others may be silent. */
  firstEventTimeout: 180_000,
  /** How long an agent may try again at a limit before that is the result of the run. */
  limitGraceMs: 30_000,
  /** The same for a server that fails or cannot be reached: it comes back sooner than a limit passes, so it gets more time. */
  outageGraceMs: 120_000,
  /** How long a retry policy waits for a limit to end. */
  retryMaxWaitMs: 600_000,
  /** How long an agent may stay after its result. */
  exitGraceMs: 10_000,
  /** Between TERM and KILL. */
  gracePeriodMs: 5000,
} as const
