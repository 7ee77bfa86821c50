import { resolve } from 'node:path'
import type { SessionFilter } from '../../contract/session-manager.ts'
import { AGENT_FLAG, type FlagTable, MODEL_FLAG, usageError } from '../command.ts'
import { parseTime } from '../times.ts'

/** Which sessions. */
export const FILTER_FLAGS = {
  agent: { ...AGENT_FLAG.agent, about: 'Of this agent', group: 'Which' },
  model: { ...MODEL_FLAG.model, about: 'With this model', group: 'Which' },
  since: { type: 'string', group: 'Which', value: 'TIME', about: 'At work since 7d, 12h, yesterday or 2026-11-01' },
  until: { type: 'string', group: 'Which', value: 'TIME', about: 'And not later than this' },
  project: { type: 'string', group: 'Which', value: 'DIR', about: 'In this directory or below it' },
  tag: {
    ...{ type: 'string', multiple: true, group: 'Which', value: 'TEXT' },
    about: 'Of a run that we started with this --tag (repeatable: any of them)',
  },
} as const satisfies FlagTable

interface FilterValues {
  since?: string
  until?: string
  project?: string
  tag?: string[]
  model?: string
}

export function filterOf({ since, until, project, tag, model }: FilterValues, now: number): SessionFilter {
  return {
    ...(since === undefined ? {} : { since: parseTime('--since', since, now) }),
    ...(until === undefined ? {} : { until: parseTime('--until', until, now, true) }),
    ...(project === undefined ? {} : { cwd: resolve(project) }),
    ...(tag === undefined ? {} : { tags: tag }),
    ...(model === undefined ? {} : { model }),
  }
}

/** A whole number above 0. */
export function countOf(flag: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (!/^[1-9]\d*$/.test(value)) throw usageError(`${flag} must be a number such as 20, not "${value}"`)
  return Number(value)
}
