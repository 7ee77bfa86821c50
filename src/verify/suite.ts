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
import { withoutAccount } from './checks/without-account.ts'

const onTheServer: readonly Check[] = [...basics, ...approvals, ...live, ...options, ...sessions, ...failures]
export const allChecks: readonly Check[] = [...onTheServer, ...withoutAccount]

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
  /** Native records that the adapter does not know. Harmless to a run, but a sign that the CLI has changed. */
  unrecognized: string[]
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
  const checks = subjects[capabilities.agent]?.account ? withoutAccount : onTheServer
  return checks.filter(
    (check) =>
      (check.applies?.(capabilities) ?? true) &&
      !isProvenByOthers(check, capabilities) &&
      (only.length === 0 || only.includes(check.name)),
  )
}

/** An agent that has no live form is one-shot in every check. */
function isProvenByOthers({ name }: Check, { supportsInteractiveMode }: AgentCapabilities): boolean {
  return !supportsInteractiveMode && name.startsWith('one-shot')
}

/** Proves one agent on its real CLI: every check that its capabilities claim. */
export async function runSuite(request: SuiteRequest): Promise<CheckResult[]> {
  const { agent, capabilities, only, parallel = 2, onResult = () => {} } = request
  const subject = subjects[agent]
  if (!subject) return []
  const waiting = checksFor(capabilities, only)
  const results: CheckResult[] = []
  const again: { check: Check; first: CheckResult }[] = []
  const tell = (result: CheckResult) => {
    results.push(result)
    onResult(result)
  }
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const first = await runCheck(request, subject, check)
      if (first.status === 'failed' && request.retry !== false) again.push({ check, first })
      else tell(first)
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  // Once more when the machine is quiet, one at a time: what holds then failed for want of time, not of truth.
  for (const { check, first } of again) {
    const second = await runCheck(request, subject, check)
    tell(second.status === 'passed' ? { ...second, status: 'flaky', problem: first.problem } : second)
  }
  const order = allChecks.map(({ name }) => name)
  return results.sort((a, b) => order.indexOf(a.check) - order.indexOf(b.check))
}

async function runCheck(request: SuiteRequest, subject: Subject, check: Check): Promise<CheckResult> {
  const startedAt = Date.now()
  const unrecognized = new Set<string>()
  const problem = await tryCheck(request, subject, check, (types) => {
    for (const type of types) unrecognized.add(type)
  })
  return {
    agent: request.agent,
    version: request.version,
    check: check.name,
    title: check.title,
    status: problem === null ? 'passed' : 'failed',
    problem: problem ?? undefined,
    unrecognized: [...unrecognized],
    durationMs: Date.now() - startedAt,
  }
}

/** Null when the check holds, else why not. */
async function tryCheck(
  { agent, binDir, path }: SuiteRequest,
  subject: Subject,
  check: Check,
  onUnrecognized: (types: string[]) => void,
): Promise<string | null> {
  try {
    const { scenario } = check
    await withBench({ agent, subject, scenario, binDir, path, onUnrecognized }, (bench) => check.run(bench))
    return null
  } catch (error) {
    if (error instanceof CheckFailed) return error.message
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }
}
