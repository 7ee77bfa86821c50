import type { Subject } from '../adapters/kit/subject.ts'
import { subjects } from '../adapters/subjects.ts'
import type { AgentCapabilities } from '../contract/capabilities.ts'
import type { AgentName } from '../contract/names.ts'
import { withBench } from './bench.ts'
import { type Check, CheckFailed } from './check.ts'
import { approvals } from './checks/approvals.ts'
import { basics } from './checks/basics.ts'
import { budget } from './checks/budget.ts'
import { failures } from './checks/failures.ts'
import { hooks } from './checks/hooks.ts'
import { host } from './checks/host.ts'
import { inputs } from './checks/inputs.ts'
import { live } from './checks/live.ts'
import { managedSessions } from './checks/managed.ts'
import { managedHooks } from './checks/managed-hooks.ts'
import { managedRestore } from './checks/managed-restore.ts'
import { managedWorktree } from './checks/managed-worktree.ts'
import { options } from './checks/options.ts'
import { policyChecks } from './checks/policy.ts'
import { plugins, questions } from './checks/questions.ts'
import { schemaChecks } from './checks/schema.ts'
import { sessionActions } from './checks/session-actions.ts'
import { sessions } from './checks/sessions.ts'
import { sideRequests } from './checks/side-requests.ts'
import { terminal } from './checks/terminal.ts'
import { terminalBudget } from './checks/terminal-budget.ts'
import { terminalFailure } from './checks/terminal-failure.ts'
import { terminalManaged } from './checks/terminal-managed.ts'
import { terminalUsage } from './checks/terminal-usage.ts'
import { textAgents } from './checks/text-agents.ts'
import { toolOutput } from './checks/tool-output.ts'
import { usageTruth } from './checks/usage-truth.ts'
import { withoutAccount } from './checks/without-account.ts'
import { longestFirst, runInPools } from './pools.ts'

const onTheServer: readonly Check[] = [
  ...basics,
  ...host,
  ...toolOutput,
  ...textAgents,
  ...approvals,
  ...policyChecks,
  ...live,
  ...options,
  ...schemaChecks,
  ...budget,
  ...inputs,
  ...sessions,
  ...sessionActions,
  ...usageTruth,
  ...sideRequests,
  ...hooks,
  ...questions,
  ...failures,
  ...terminal,
  ...terminalManaged,
  ...terminalFailure,
  ...terminalUsage,
  ...terminalBudget,
  ...managedSessions,
  ...managedRestore,
  ...managedHooks,
  ...managedWorktree,
]
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

/** One agent to prove. */
export interface SuiteRequest {
  agent: AgentName
  version: string | null
  capabilities: AgentCapabilities
  binDir?: string
  path: string
  /** Names of checks; all that apply when empty. */
  only?: readonly string[]
  /** Names of checks that are proven elsewhere. */
  leftOut?: ReadonlySet<string>
}

export interface SuiteSettings {
  /** How many checks at the same time, besides those that mostly wait. */
  parallel?: number
  retry?: boolean
  /** How long a check takes about, in any unit: the longest begin first, so that none is left for the end. */
  costOf?: (agent: AgentName, check: Check) => number
  onResult?: (result: CheckResult) => void
}

/** How many of the checks that mostly wait run at the same time. */
const WAITING_LANES = 6

/** Up to so many are repeated one at a time; more than that have another reason than a busy machine. */
const MOST_ALONE = 12

export function checksFor(capabilities: AgentCapabilities, only: readonly string[] = []): Check[] {
  const checks = subjects[capabilities.agent]?.account ? [...withoutAccount, plugins] : onTheServer
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

interface Task {
  request: SuiteRequest
  subject: Subject
  check: Check
}

function tasksOf(request: SuiteRequest): Task[] {
  const subject = subjects[request.agent]
  if (!subject) return []
  const checks = checksFor(request.capabilities, request.only).filter(({ name }) => !request.leftOut?.has(name))
  return checks.map((check) => ({ request, subject, check }))
}

/**
 * Proves agents on their real CLIs: every check that their capabilities claim. Those that wait have lanes of their own,
 * so that the others keep the machine busy meanwhile.
 */
export async function runSuites(requests: readonly SuiteRequest[], settings: SuiteSettings): Promise<CheckResult[]> {
  const { parallel = 2, onResult = () => {}, retry = true, costOf = () => 0 } = settings
  const tasks = requests.flatMap(tasksOf)
  const order = longestFirst(tasks, ({ request, check }) => costOf(request.agent, check))
  const results = new Map<Task, CheckResult>()
  const again: Task[] = []
  const tell = (task: Task, result: CheckResult) => {
    results.set(task, result)
    onResult(result)
  }
  const attempt = async (task: Task) => {
    const first = await runCheck(task)
    if (first.status !== 'failed' || !retry) return tell(task, first)
    results.set(task, first)
    again.push(task)
  }
  const waiting = order.filter(({ check }) => check.waits)
  const others = order.filter(({ check }) => !check.waits)
  await runInPools(
    [
      { items: others, lanes: parallel },
      { items: waiting, lanes: Math.min(parallel * 2, WAITING_LANES) },
    ],
    attempt,
  )
  // Once more when the machine is quiet, one at a time: what holds then failed for want of time, not of truth.
  const lanes = again.length > MOST_ALONE ? parallel : 1
  await runInPools([{ items: again, lanes }], async (task) => {
    const second = await runCheck(task)
    const { problem } = results.get(task) ?? {}
    tell(task, second.status === 'passed' ? { ...second, status: 'flaky', problem } : second)
  })
  return tasks.flatMap((task) => results.get(task) ?? [])
}

/** The same for one agent. */
export function runSuite(request: SuiteRequest & SuiteSettings): Promise<CheckResult[]> {
  return runSuites([request], request)
}

async function runCheck(task: Task): Promise<CheckResult> {
  const { request, check } = task
  const startedAt = Date.now()
  const unrecognized = new Set<string>()
  const problem = await tryCheck(task, (types) => {
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
  { request, subject, check }: Task,
  onUnrecognized: (types: string[]) => void,
): Promise<string | null> {
  const { agent, capabilities, binDir, path } = request
  try {
    const { scenario, endsByForce: asInstalled } = check
    const given = { agent, subject, capabilities, scenario, asInstalled, binDir, path, onUnrecognized }
    await withBench(given, (bench) => check.run(bench))
    return null
  } catch (error) {
    if (error instanceof CheckFailed) return error.message
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }
}
