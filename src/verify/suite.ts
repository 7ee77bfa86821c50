import type { AgentCapabilities } from '../contract/capabilities.ts'
import type { AgentName } from '../contract/names.ts'
import { type Subject, subjects } from './agents.ts'
import { withBench } from './bench.ts'
import { type Check, CheckFailed } from './check.ts'
import { approvals } from './checks/approvals.ts'
import { basics } from './checks/basics.ts'
import { failures } from './checks/failures.ts'
import { live } from './checks/live.ts'
import { options } from './checks/options.ts'
import { sessions } from './checks/sessions.ts'

export const allChecks: readonly Check[] = [...basics, ...approvals, ...live, ...options, ...sessions, ...failures]

/** `flaky`: failed once and then passed, which is noise; `failed` twice is drift. */
export type CheckStatus = 'passed' | 'flaky' | 'failed'

export interface CheckResult {
  agent: AgentName
  version: string | null
  check: string
  title: string
  status: CheckStatus
  /** What did not hold, in plain words. */
  problem?: string
  durationMs: number
}

export interface SuiteRequest {
  agent: AgentName
  version: string | null
  capabilities: AgentCapabilities
  binDir?: string
  path: string
  /** Names of checks; all that apply when empty. */
  only?: readonly string[]
  /** How many at the same time. */
  parallel?: number
  retry?: boolean
  onResult?: (result: CheckResult) => void
}

export function checksFor(capabilities: AgentCapabilities, only: readonly string[] = []): Check[] {
  return allChecks.filter(
    (check) => (check.applies?.(capabilities) ?? true) && (only.length === 0 || only.includes(check.name)),
  )
}

/** Proves one agent on its real CLI: every check that its capabilities claim. */
export async function runSuite(request: SuiteRequest): Promise<CheckResult[]> {
  const { agent, capabilities, only, parallel = 2, onResult = () => {} } = request
  const subject = subjects[agent]
  if (!subject) return []
  const waiting = checksFor(capabilities, only)
  const results: CheckResult[] = []
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const result = await runCheck(request, subject, check)
      results.push(result)
      onResult(result)
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  const order = allChecks.map(({ name }) => name)
  return results.sort((a, b) => order.indexOf(a.check) - order.indexOf(b.check))
}

async function runCheck(request: SuiteRequest, subject: Subject, check: Check): Promise<CheckResult> {
  const startedAt = Date.now()
  const first = await tryCheck(request, subject, check)
  const second = first !== null && request.retry !== false ? await tryCheck(request, subject, check) : first
  const status = first === null ? 'passed' : second === null ? 'flaky' : 'failed'
  const { agent, version } = request
  const problem = second ?? first ?? undefined
  return { agent, version, check: check.name, title: check.title, status, problem, durationMs: Date.now() - startedAt }
}

/** Null when the check holds, else why not. */
async function tryCheck({ agent, binDir, path }: SuiteRequest, subject: Subject, check: Check): Promise<string | null> {
  try {
    await withBench({ agent, subject, scenario: check.scenario, binDir, path }, (bench) => check.run(bench))
    return null
  } catch (error) {
    if (error instanceof CheckFailed) return error.message
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }
}
