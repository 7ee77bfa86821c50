import { randomUUID } from 'node:crypto'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentAdapter } from '../../contract/adapter.ts'
import type { Change } from '../../contract/api/change.ts'
import type { ManagedSession } from '../../contract/api/managed-session.ts'
import type { Answer, Checked } from '../../contract/api/schemas.ts'
import { AgentMuxError, CapabilityError, isAgentMuxError } from '../../contract/errors.ts'
import { type ControlCommand, LAUNCH_FILES } from '../../contract/launch.ts'
import { sessionTitle } from '../../core/session-title.ts'
import { ulid } from '../../core/ulid.ts'
import type { AgentMuxClient } from '../../mux/client.ts'
import { planTerminal } from '../../mux/plan-terminal.ts'
import { requireTerminals } from '../../process/pty.ts'
import type { Redact } from '../../secrets/redact.ts'
import { createRedactor } from '../../secrets/redaction.ts'
import { createWorktree, directoryWorkspace, removeWorktree } from '../../workspaces/worktree.ts'
import type { Recorder } from '../recorder.ts'
import { freeName, slugOf } from '../session-name.ts'
import type { Store } from '../store/store.ts'
import { byConversation } from './by-conversation.ts'
import type { DailyBudget } from './daily-budget.ts'
import { launchSpec, namesOf, splitOptions } from './launch-spec.ts'
import { type Launcher, launchIdOf } from './launcher.ts'
import { NO_LIMITS } from './limit.ts'
import { Once } from './once.ts'
import { killed, newSession, type SessionRecord, viewOf } from './record.ts'
import type { Restoring } from './restoring.ts'
import { sendCommand } from './send-command.ts'
import { readSent, rememberedSent, sentNow } from './sent.ts'
import { newSessionId } from './session-id.ts'

export interface SessionsOptions {
  store: Store
  recorder: Recorder
  launcher: Launcher
  budget: DailyBudget
  restoring: Restoring
  dataDir: string
  /** The daemon's own environment. */
  env: NodeJS.ProcessEnv
  /** A client that sees the given environment. */
  mux(env: NodeJS.ProcessEnv): AgentMuxClient
  forgetLaunches(sessionId: string): Promise<void>
}

const EVENTS_LIMIT = 500
/** An agent that has taken a message says so within moments; the answer has its state then. */
const TAKEN_MS = 300
const LOOK_MS = 10

/** What people and programs can do with managed sessions. */
export class Sessions {
  readonly #options: SessionsOptions
  readonly #once: Once

  constructor(options: SessionsOptions) {
    this.#options = options
    this.#once = new Once(options.store)
  }

  list({ agent, live, limit = 100 }: Checked<'listSessions'>): ManagedSession[] {
    return this.#options.store.sessions
      .list()
      .filter((one) => (agent === undefined || one.agent === agent) && (live === undefined || one.isLive === live))
      .slice(0, limit)
      .map(viewOf)
  }

  get(given: string): ManagedSession {
    return viewOf(this.record(given))
  }

  /** The session that an id, a name, the id of its conversation or the beginning of an id means. */
  record(given: string): SessionRecord {
    const { sessions } = this.#options.store
    const named = sessions.matching(given)
    const [id, ...others] = named.length > 0 ? named : byConversation(sessions.list(), given)
    if (others.length > 0) {
      throw new AgentMuxError('VALIDATION_ERROR', `"${given}" can mean ${[id, ...others].join(' or ')}`)
    }
    const record = id === undefined ? null : sessions.get(id)
    if (record) return record
    throw new AgentMuxError('SESSION_NOT_FOUND', `There is no session "${given}"`, { hint: '`amux ls` lists them.' })
  }

  async spawn(input: Checked<'spawn'>): Promise<ManagedSession> {
    const { key, ...request } = input
    const id = await this.#once.do('spawn', key, request, async (remember) => {
      const { store, recorder, launcher, budget } = this.#options
      budget.require(Date.now())
      const session = await this.#plan(input)
      const { secrets } = splitOptions(input.options)
      const spec = launchSpec(session, input.prompt ?? '', session.createdAt)
      const env = { ...this.#options.env, ...input.environment }
      refuseSecretName(session.name, createRedactor(secrets, env))
      await launcher.prepare(spec, { secrets, env })
      const title = session.metadata.title && recorder.redact(session.id, session.metadata.title)
      const withoutSecrets = (_: string, value: unknown) =>
        typeof value === 'string' ? recorder.redact(session.id, value) : value
      const options: SessionRecord['options'] = JSON.parse(JSON.stringify(session.options), withoutSecrets)
      recorder.commit((writer) => {
        this.#refuseTakenName(session.name)
        const name = session.name ?? this.#ownName(session, title)
        const named = { ...session, name, options, metadata: { ...session.metadata, title } }
        store.sessions.insert(named)
        launcher.enqueue(writer, named, spec, 'spawn')
        if (input.prompt) writer.message(session.id, { launch: 1, text: input.prompt, at: session.createdAt })
        remember(session.id)
      })
      launcher.admit()
      return session.id
    })
    await this.#options.launcher.started(id)
    // An agent that cannot be started at all says so within moments, and then the answer does, too.
    const { waitsFor, updatedAt } = this.record(id)
    if (waitsFor === null) await this.#heardOf(id, updatedAt)
    return this.get(id)
  }

  /** Waits a moment for news of a session. */
  async #heardOf(id: string, since: number): Promise<void> {
    const deadline = Date.now() + TAKEN_MS
    while (this.record(id).updatedAt === since && Date.now() < deadline) await sleep(LOOK_MS)
  }

  /** Everything that can be refused is refused here, before anything exists. */
  async #plan(input: Checked<'spawn'>): Promise<SessionRecord> {
    const { agent, cwd, worktree, mode = 'headless', name = null, prompt, size } = input
    const { open: asked, secrets } = splitOptions(input.options)
    if (mode === 'headless' && !prompt?.trim()) {
      throw new AgentMuxError('VALIDATION_ERROR', 'A headless session needs a prompt', {
        hint: 'Say what to do, or start it in terminal mode.',
      })
    }
    const mux = this.#options.mux({ ...this.#options.env, ...input.environment })
    const { sessionId, forkSessionId } = await mux.resolveSessions({ ...asked, ...secrets, agent, cwd, prompt: '' })
    const given = { ...asked, sessionId, forkSessionId }
    const newConversation = mode === 'terminal' ? conversationId(await mux.adapters.load(agent), given) : undefined
    const open = { ...given, newSessionId: newConversation }
    const options = { ...open, ...secrets, agent, cwd }
    if (mode === 'terminal') {
      await requireTerminals()
      await planTerminal(mux, { ...options, prompt: prompt ?? '' })
    } else mux.check({ ...options, prompt: prompt ?? '' })
    this.#refuseTakenName(name)
    const { dataDir } = this.#options
    const id = newSessionId()
    const workspace = worktree
      ? await createWorktree({ cwd, base: worktree.base, sessionId: id, dataDir })
      : await directoryWorkspace(cwd)
    const session = newSession({
      ...{ id, name, agent, mode, workspace, options: open, createdAt: Date.now() },
      terminal: size ?? null,
      secretOptions: namesOf(secrets),
      staysOpen: mode === 'headless' && open.keepOpen === true && mux.adapters.capabilities(agent).supportsMultiTurn,
    })
    const title = prompt ? sessionTitle(prompt) : undefined
    return { ...session, metadata: { agentSessionId: newConversation, title } }
  }

  /** Made of its title, which holds no secret; of the agent and the directory where that has no word for a name. */
  #ownName({ agent, workspace }: SessionRecord, title: string | undefined): string {
    const place = workspace.kind === 'worktree' ? workspace.repository : workspace.path
    const name = slugOf(title ?? '') || slugOf(`${agent} ${basename(place)}`)
    return freeName(name, (one) => this.#options.store.sessions.matching(one).length > 0)
  }

  #refuseTakenName(name: string | null): void {
    if (name === null || this.#options.store.sessions.matching(name).length === 0) return
    throw new AgentMuxError('VALIDATION_ERROR', `There is a session "${name}" already`, {
      hint: 'Take another name, or `amux rm` the old one.',
    })
  }

  /** `isOurs`: no person has said it. */
  async send(input: Checked<'send'>, { isOurs = false } = {}): Promise<Answer<'send'>> {
    const { store, budget, launcher, recorder } = this.#options
    const { id } = this.record(input.id)
    const { key = ulid(Date.now()), text, when } = input
    const answer = await this.#once.do(`send ${id}`, key, { text, when }, async (remember) => {
      budget.require(Date.now())
      const session = this.record(id)
      const sent = rememberedSent(sentNow(session, when, store.changes.lastSeq))
      // The runner knows the key too: were we to die now, the same request again would still reach the agent once.
      const note = () =>
        recorder.commit((writer) => {
          writer.message(id, { launch: session.launch, text, at: Date.now() })
          if (!isOurs) writer.session({ ...this.record(id), ...NO_LIMITS })
          remember(sent)
        })
      await launcher.request(id, sendCommand(session, { text, when }), key, note)
      await this.#heardOf(id, session.updatedAt)
      return sent
    })
    return { ...this.get(id), sent: readSent(answer) }
  }

  async answer({ id: given, interactionId, decision, text }: Checked<'answer'>): Promise<ManagedSession> {
    const { id, mode, agent } = this.record(given)
    if (mode === 'terminal') return this.command(id, screenCommand(agent, decision, text))
    const which = interactionId === 'oldest' ? this.#oldest(id) : interactionId
    const command = answerCommand(which, decision, text)
    await this.#options.launcher.request(id, command)
    const session = this.record(id)
    const pending = session.pending.filter((one) => one.id !== which)
    this.#options.recorder.commit((writer) => writer.session({ ...session, pending }))
    return this.get(id)
  }

  #oldest(id: string): string {
    const [oldest] = this.record(id).pending
    if (oldest) return oldest.id
    throw new AgentMuxError('NO_PENDING_INTERACTION', 'Nothing waits for an answer')
  }

  /** A command that changes nothing but the agent; what it leads to comes by events. */
  async command(given: string, command: ControlCommand): Promise<ManagedSession> {
    const { id } = this.record(given)
    await this.#options.launcher.request(id, command)
    return this.get(id)
  }

  /** Stops the turn that is under way. */
  async interrupt(given: string): Promise<ManagedSession> {
    const { launcher, recorder } = this.#options
    const { id } = this.record(given)
    const note = (interruptedAt: number | undefined) =>
      recorder.commit((writer) => writer.session({ ...this.record(id), interruptedAt }))
    // Before: its screen may rest before the runner answers.
    note(Date.now())
    await launcher.request(id, { command: 'interrupt' }).catch((error: unknown) => {
      note(undefined)
      throw error
    })
    return this.get(id)
  }

  /** Ends the agent. Resolves when it is gone, or after a while. A session that was killed never starts by itself. */
  async kill(given: string, why = 'it was killed'): Promise<ManagedSession> {
    const { launcher, recorder, restoring } = this.#options
    const session = this.record(given)
    const { id, isLive, limit } = session
    restoring.callOff(id)
    // One that has exited may still be brought back by itself, when a limit is over.
    if (!isLive && !limit) return this.get(id)
    // On record before anything else: a daemon that ends now leaves it to the next one, and that one ends it.
    const noted = attempt(() => recorder.commit((writer) => writer.session(killed(session, why))))
    if (isLive) await launcher.end(session, () => !this.record(id).isLive)
    noted()
    return this.get(id)
  }

  async remove(given: string): Promise<Answer<'removeSession'>> {
    const session = this.record(given)
    const { id, isLive, workspace } = session
    if (isLive) {
      throw new AgentMuxError('INVALID_STATE_TRANSITION', 'Its agent is running', {
        hint: `\`amux kill ${id}\` first.`,
      })
    }
    const preserved = workspace.kind === 'worktree' ? await removeWorktree(workspace, id) : null
    const { store, recorder, launcher, forgetLaunches } = this.#options
    launcher.forget(id)
    recorder.commit((writer) => {
      store.changes.forget(id)
      store.sessions.delete(id)
      writer.removed(id)
    })
    await forgetLaunches(id)
    return { ok: true, preserved }
  }

  changes({ id, after: given, limit = EVENTS_LIMIT }: Checked<'sessionEvents'>): Answer<'sessionEvents'> {
    const { changes } = this.#options.store
    const session = this.record(id).id
    const place = given ?? { seq: 0, generation: null }
    const foreign = changes.foreignTo(place, session)
    const after = foreign?.seq ?? place.seq
    const missed = foreign ?? changes.missedAfter(after, session)
    const rows = [...(missed ? [missed] : []), ...changes.after(after, limit, session)].slice(0, limit)
    const lastSeq = rows.length < limit ? changes.lastSeq : (rows.at(-1)?.seq ?? after)
    const lastId = `${lastSeq}.${changes.generations.current}`
    return { changes: rows.map(({ json }): Change => JSON.parse(json)), lastSeq, lastId }
  }

  /** The directory of the live launch of a session with a terminal. */
  terminalOf(given: string): string {
    const session = this.record(given)
    if (session.mode !== 'terminal') {
      throw new AgentMuxError('CAPABILITY_ERROR', 'This session has no terminal', {
        hint: `\`amux logs -f ${session.id}\` shows what it does.`,
      })
    }
    if (session.isLive) return this.#options.launcher.launchDir(launchIdOf(session))
    throw new AgentMuxError('RUN_NOT_ACTIVE', 'Its agent has exited', {
      hint: `\`amux restore ${session.id}\` brings it back.`,
    })
  }

  async screen(given: string): Promise<Answer<'screen'>> {
    this.terminalOf(given)
    const screen = await this.#options.launcher.request(this.record(given).id, { command: 'screen' })
    if (screen && 'lines' in screen) return screen
    throw new AgentMuxError('INTERNAL', 'The runner has shown no screen')
  }

  /** Where a value is that was too large for its event. */
  blobPath(runId: string, file: string): string {
    // Names come over the wire and become part of a path.
    if (/^[a-z0-9]+-\d+$/.test(runId) && /^[\w-]+(\.[\w-]+)*$/.test(file)) {
      return join(this.#options.launcher.launchDir(runId), LAUNCH_FILES.blobs, file)
    }
    throw new AgentMuxError('VALIDATION_ERROR', 'There is no such value')
  }
}

/**
 * The id of a new conversation in a terminal, where the agent takes one there: its screen names none, and until its first
 * hook comes, or where it has none, a conversation that somebody else begins in the same directory could be taken for it.
 */
function conversationId(
  adapter: AgentAdapter,
  { sessionId, forkSessionId }: SessionRecord['options'],
): string | undefined {
  const isNew = sessionId === undefined && forkSessionId === undefined
  if (!isNew || !adapter.capabilities.supportsSessionId) return undefined
  const id = randomUUID()
  try {
    const plan = adapter.planLaunch?.({ agent: adapter.agent, prompt: '', newSessionId: id })
    return plan?.args.some((word) => word.includes(id)) ? id : undefined
  } catch (error) {
    if (isAgentMuxError(error)) return undefined // only without a terminal
    throw error
  }
}

/** Does it now; what goes wrong is thrown later. The agent is ended also when the disk is too full to note it. */
function attempt(work: () => void): () => void {
  try {
    work()
    return () => {}
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/** In a terminal there is one dialog at most: the one on its screen. */
function screenCommand(
  agent: string,
  decision: Checked<'answer'>['decision'],
  text: string | undefined,
): ControlCommand {
  if (decision === 'text') {
    throw new CapabilityError(agent, 'answers to a question in a terminal', { hint: 'Attach to the session.' })
  }
  // A key takes no words with it, and words that are lost would be thought of as said.
  if (text !== undefined && text !== '') {
    const hint = `Say \`${decision}\` without it, and tell the agent with \`send\`; or attach to the session.`
    throw new AgentMuxError('VALIDATION_ERROR', `In a terminal \`${decision}\` takes no text`, { hint })
  }
  return { command: decision }
}

function answerCommand(
  interactionId: string,
  decision: Checked<'answer'>['decision'],
  text: string | undefined,
): ControlCommand {
  if (decision === 'approve') return { command: 'approve', interactionId, detail: text }
  if (decision === 'deny') return { command: 'deny', interactionId, reason: text }
  if (text !== undefined) return { command: 'respond', interactionId, response: { type: 'text', text } }
  throw new AgentMuxError('VALIDATION_ERROR', 'An answer needs a text')
}

/** Names are in lists, notifications and addresses, and cannot be changed there. */
function refuseSecretName(name: string | null, redact: Redact): void {
  if (name === null || redact(name) === name) return
  throw new AgentMuxError('VALIDATION_ERROR', 'The name of the session holds a secret', { hint: 'Take another name.' })
}
