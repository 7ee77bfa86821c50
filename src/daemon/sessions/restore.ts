import { existsSync } from 'node:fs'
import type { Change } from '../../contract/api/change.ts'
import type { Workspace } from '../../contract/api/managed-session.ts'
import type { Answer, Checked, RestorePlan } from '../../contract/api/schemas.ts'
import { AgentMuxError, isAgentMuxError } from '../../contract/errors.ts'
import type { LaunchOptions, LaunchSecrets } from '../../contract/launch.ts'
import type { RestorePlan as AdapterPlan, SessionReference } from '../../contract/restore.ts'
import type { Resumable } from '../../contract/session-manager.ts'
import type { AgentMuxClient } from '../../mux/client.ts'
import { canRemake, remakeWorktree } from '../../workspaces/remake.ts'
import type { Recorder } from '../recorder.ts'
import type { Store } from '../store/store.ts'
import type { DailyBudget } from './daily-budget.ts'
import { historyOf, replayPrompt } from './history.ts'
import { budgetLeft, launchSpec, namesOf } from './launch-spec.ts'
import type { Launcher } from './launcher.ts'
import { NO_LIMITS } from './limit.ts'
import { Once } from './once.ts'
import type { SessionRecord } from './record.ts'
import { restoreCommand } from './restore-command.ts'
import { type Conversation, conversationOf, planRestore } from './restore-plan.ts'
import type { Restoring } from './restoring.ts'
import type { Sessions } from './sessions.ts'

export interface RestorerOptions {
  store: Store
  recorder: Recorder
  launcher: Launcher
  budget: DailyBudget
  sessions: Sessions
  restoring: Restoring
  env: NodeJS.ProcessEnv
  mux(env: NodeJS.ProcessEnv): AgentMuxClient
  /** What a third-party adapter says of a conversation; null where that is left to us. */
  adapterPlan(agent: string, reference: SessionReference, env: NodeJS.ProcessEnv): Promise<AdapterPlan | null>
  /** Looks whether the agent still has a conversation. */
  resumable(agent: string, agentSessionId: string, env: NodeJS.ProcessEnv): Promise<Resumable>
}

/** What was not written down when the session was started. */
export interface GivenAgain {
  environment?: Record<string, string>
  options?: LaunchSecrets
}

const PAGE = 1000
export const GO_ON = 'Go on where you were interrupted.'

/** Brings conversations of exited sessions back. */
export class Restorer {
  readonly #options: RestorerOptions
  readonly #once: Once

  constructor(options: RestorerOptions) {
    this.#options = options
    this.#once = new Once(options.store)
  }

  async plan(id: string, { environment, options }: GivenAgain = {}): Promise<RestorePlan> {
    const session = this.#options.sessions.record(id)
    if (session.damage !== undefined) return { kind: 'impossible', why: session.damage }
    const env = { ...this.#options.launcher.environmentOf(session.id), ...environment, ...options?.env }
    return planRestore({
      session,
      workspaceExists: await workspaceCanBe(session.workspace),
      unstartable: this.#unstartable(session, env),
      conversation: await this.#conversation(session, env),
      hasHistory: historyOf(this.#changes(session.id)).some(({ who }) => who === 'Agent'),
    })
  }

  /** `isOurs`: no person has asked for it. */
  async restore(input: Checked<'restore'>, { isOurs = false } = {}): Promise<Answer<'restore'>> {
    const { id } = this.#options.sessions.record(input.id)
    const { key, ...request } = input
    const plan = await this.#once.do(`restore ${id}`, key, request, async (remember) => {
      this.#options.budget.require(Date.now())
      return this.#options.restoring.do(id, async (mustGoOn) => {
        const plan = choose(await this.plan(id, input), input.as)
        const remembered = () => remember(JSON.stringify(plan))
        await this.#launch(id, plan, { ...input, isOurs, mustGoOn, remember: remembered })
        return JSON.stringify(plan)
      })
    })
    await this.#options.launcher.started(id)
    return { plan: JSON.parse(plan), session: this.#options.sessions.get(id) }
  }

  /** The next launch of a session, by a plan that was made. */
  async #launch(
    id: string,
    plan: Exclude<RestorePlan, { kind: 'impossible' }>,
    given: GivenAgain & { prompt?: string; isOurs: boolean; mustGoOn: () => void; remember: () => void },
  ): Promise<void> {
    const { sessions, launcher, recorder, env } = this.#options
    const session = sessions.record(id)
    const known = launcher.confidentialOf(id)
    const secrets = { ...known?.secrets, ...given.options }
    const missing = session.secretOptions.filter((name) => !namesOf(secrets).includes(name))
    if (missing.length > 0) {
      throw new AgentMuxError('VALIDATION_ERROR', `It was started with ${missing.join(', ')}, which is kept nowhere`, {
        hint: `What may hold secrets is never written to disk: give it again with ${restoreCommand(session, missing)}.`,
      })
    }
    requireBudget(session)
    const { workspace } = session
    if (workspace.kind === 'worktree') await remakeWorktree(workspace, id)
    const said = given.prompt?.trim() ? given.prompt : undefined
    const { prompt: _last, ...hidden } = known?.hidden ?? {}
    const more = { ...hidden, ...optionsOf(plan) }
    const spec = launchSpec(session, this.#prompt(session, plan, said), Date.now(), more, launcher.nextNumber(session))
    const variables = { ...(known?.env ?? env), ...given.environment }
    await launcher.prepare(spec, { secrets, env: variables })
    recorder.commit((writer) => {
      given.mustGoOn()
      // As it is now: hooks may have come in the meantime, or somebody has removed it.
      const now = sessions.record(id)
      const next = launcher.enqueue(writer, given.isOurs ? now : { ...now, ...NO_LIMITS }, spec, plan.kind)
      if (said !== undefined) writer.message(id, { launch: next.launch, text: said, at: spec.createdAt })
      given.remember()
    })
    launcher.admit()
  }

  #prompt(session: SessionRecord, plan: RestorePlan, said: string | undefined): string {
    if (plan.kind === 'replay') return replayPrompt(historyOf(this.#changes(session.id)), said ?? GO_ON)
    if (plan.kind === 'fresh') return said ?? this.#firstMessage(session.id) ?? ''
    // A screen that comes back needs no words; a headless agent does nothing without.
    return said ?? (session.mode === 'terminal' ? '' : GO_ON)
  }

  #firstMessage(id: string): string | undefined {
    return historyOf(this.#changes(id)).find(({ who }) => who === 'User')?.text
  }

  /** Why the agent cannot be started; null when it can. */
  #unstartable({ agent, options, workspace }: SessionRecord, env: NodeJS.ProcessEnv): string | null {
    const cwd = workspace.kind === 'worktree' && !existsSync(workspace.path) ? workspace.repository : workspace.path
    if (!existsSync(cwd)) return null // reported on its own
    try {
      this.#options.mux(env).check({ ...options, agent, cwd, prompt: 'none' })
      return null
    } catch (error) {
      if (isAgentMuxError(error)) return error.message
      throw error
    }
  }

  async #conversation(session: SessionRecord, env: NodeJS.ProcessEnv): Promise<Conversation | null> {
    const { agent, metadata, workspace } = session
    const { agentSessionId } = metadata
    if (agentSessionId === undefined) return null
    try {
      const reported = await this.#options.adapterPlan(agent, { sessionId: agentSessionId, cwd: workspace.path }, env)
      if (reported) return conversationOf(reported)
      const answer = await this.#options.resumable(agent, agentSessionId, env)
      // Only a worktree of ours is missing, and that is made again.
      const lacksWorktree = !answer.resumable && answer.lacks === 'directory' && workspace.kind === 'worktree'
      return lacksWorktree ? { resumable: true } : answer
    } catch (error) {
      if (isAgentMuxError(error)) return { resumable: false, reason: error.message }
      throw error
    }
  }

  *#changes(id: string): Iterable<Change> {
    for (let after = 0; ; ) {
      const rows = this.#options.store.changes.after(after, PAGE, id)
      for (const { json } of rows) yield JSON.parse(json)
      const last = rows.at(-1)
      if (last === undefined) return
      after = last.seq
    }
  }
}

function choose(plan: RestorePlan, wanted: Checked<'restore'>['as']): Exclude<RestorePlan, { kind: 'impossible' }> {
  if (plan.kind === 'impossible') {
    throw new AgentMuxError('INVALID_STATE_TRANSITION', `It cannot be restored: ${plan.why}`)
  }
  if (wanted === undefined || wanted === plan.kind) return plan
  if (wanted === 'native') {
    throw new AgentMuxError('INVALID_STATE_TRANSITION', `Not natively: ${plan.why}`)
  }
  return { kind: wanted, why: 'as was asked for' }
}

/** A budget is for the whole session, so that nothing is left for a next launch when it is spent. */
function requireBudget(session: SessionRecord): void {
  const left = budgetLeft(session)
  if (left === undefined || left > 0) return
  const { agent, metadata, options } = session
  throw new AgentMuxError('BUDGET_EXCEEDED', `Its budget of $${options.maxCostUsd} is spent`, {
    hint: `\`amux spawn ${agent} --session ${metadata.agentSessionId ?? 'ID'} --max-cost USD\` goes on with the conversation.`,
  })
}

/** A worktree that is gone is made again; any other directory was the user's. */
async function workspaceCanBe(workspace: Workspace): Promise<boolean> {
  return existsSync(workspace.path) || (workspace.kind === 'worktree' && (await canRemake(workspace)))
}

function optionsOf(plan: RestorePlan): Partial<LaunchOptions> {
  if (plan.kind === 'native')
    return { sessionId: plan.agentSessionId, forkSessionId: undefined, newSessionId: undefined }
  return { sessionId: undefined, forkSessionId: undefined, newSessionId: undefined }
}
