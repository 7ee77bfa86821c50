import { isAt } from '../../contract/options.ts'
import { RUN_DEFAULTS } from '../../contract/run-defaults.ts'
import type { RunOptions } from '../../contract/run-options.ts'

const PREFIX = 'AMUX_REMOTE_'
const REMOTE_AGENT = `${PREFIX}AGENT`
const REMOTE_CWD = `${PREFIX}CWD`
export const REMOTE_COMMAND = `${PREFIX}COMMAND`

const DEFAULT_AGENT = 'claude'

/** The first line for the other side. Paths in it are paths over there; the directory is that of the `amux` there. */
export function runRequest(options: RunOptions): object {
  const { env = {}, gracePeriodMs = RUN_DEFAULTS.gracePeriodMs } = options
  const variables = Object.entries(env).filter(([name]) => !name.startsWith(PREFIX))
  return {
    type: 'run',
    options: {
      ...Object.fromEntries(Object.entries(options).filter(([name]) => isAt('remote', name))),
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
