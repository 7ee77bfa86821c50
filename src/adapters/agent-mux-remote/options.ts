import type { RunOptions } from '../../contract/run-options.ts'

const PREFIX = 'AMUX_REMOTE_'
const REMOTE_AGENT = `${PREFIX}AGENT`
const REMOTE_CWD = `${PREFIX}CWD`
export const REMOTE_COMMAND = `${PREFIX}COMMAND`

const DEFAULT_AGENT = 'claude'
const DEFAULT_GRACE_MS = 5000

/** What is between the caller and us, or would happen twice if both sides did it. */
const OURS: ReadonlySet<string> = new Set<keyof RunOptions>([
  ...(['agent', 'cwd', 'env', 'runId', 'profile', 'retryPolicy', 'collectEvents', 'eventBufferSize'] as const),
  ...(['invocation', 'signal', 'onInputRequired', 'onApprovalRequest', 'gracePeriodMs'] as const),
])

/** The first line for the other side. Paths in it are paths over there; the directory is that of the `amux` there. */
export function runRequest(options: RunOptions): object {
  const { env = {}, gracePeriodMs = DEFAULT_GRACE_MS } = options
  const variables = Object.entries(env).filter(([name]) => !name.startsWith(PREFIX))
  return {
    type: 'run',
    options: {
      ...Object.fromEntries(Object.entries(options).filter(([name]) => !OURS.has(name))),
      agent: env[REMOTE_AGENT] || DEFAULT_AGENT,
      cwd: env[REMOTE_CWD] || undefined,
      env: Object.fromEntries(variables),
      // It has to be done with its agent before we lose patience with it.
      gracePeriodMs: Math.floor(gracePeriodMs * 0.6),
    },
    /** Questions reach somebody. */
    answers: options.onInputRequired !== undefined || options.keepOpen === true,
  }
}
