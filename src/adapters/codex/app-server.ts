import type { DialogueCommand, DialogueExit, Effect } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { failTurn } from '../../core/failures.ts'
import { asNumber, asRecord, asString, type JsonRecord } from '../../core/json.ts'
import { exitFailure, isMissingSession, Retries, sessionFailure, turnFailure } from './errors.ts'
import { structuredOutput } from './exec.ts'
import { ItemReader, itemType } from './items.ts'
import { declinesRequests, firstPrompt, warnings } from './options.ts'
import { isRequestId, type PendingRequest, readRequest, refuse, reply } from './requests.ts'
import { mustNarrow, openThread, textInput, turnParams } from './thread-plan.ts'
import { ThreadUsage } from './usage.ts'

const CLIENT = { name: 'agent_mux', title: 'agent-mux', version: '0.1.0' }

/** Notices we have no use for and can be large, or that name the machine. */
const OPTED_OUT = ['remoteControl/status/changed', 'turn/diff/updated', 'thread/readState/changed']

/** Notices that tell nothing the other ones do not. */
const SILENT: ReadonlySet<string> = new Set([
  ...OPTED_OUT,
  ...['thread/status/changed', 'thread/goal/cleared', 'thread/goal/updated', 'thread/name/updated', 'thread/closed'],
  ...['thread/prediction/updated', 'thread/queue/changed', 'thread/project/updated', 'thread/compacted'],
  ...['thread/environment/connected', 'thread/environment/disconnected', 'hook/started', 'hook/completed'],
  ...['item/plan/delta', 'item/fileChange/outputDelta', 'item/fileChange/patchUpdated', 'item/mcpToolCall/progress'],
  ...['item/commandExecution/terminalInteraction', 'item/autoApprovalReview/started', 'serverRequest/resolved'],
  ...['rawResponseItem/completed', 'rawResponse/completed', 'turn/moderationMetadata', 'skills/changed'],
  ...['account/updated', 'app/list/updated', 'model/verification', 'model/safetyBuffering/updated', 'project/changed'],
  ...['modelProvider/authRecoveryStarted', 'modelProvider/authRecoveryCompleted', 'fs/changed'],
])

const warn = (message: string): Effect => ({ emit: { type: 'debug', level: 'warn', message } })

interface Subagent {
  name: string
  items: ItemReader
}

type Sent = { kind: 'initialize' | 'thread' | 'turn' | 'interrupt' } | { kind: 'steer'; text: string }

/** Talks to `codex app-server`: requests, answers and notices as one JSON object a line, without "jsonrpc". */
export class AppServer {
  readonly #options: RunOptions
  readonly #items: ItemReader
  readonly #retries = new Retries()
  readonly #sent = new Map<number, Sent>()
  readonly #pending = new Map<string, { id: string | number; request: PendingRequest }>()
  readonly #subagents = new Map<string, Subagent>()
  readonly #usage = new Map<string, ThreadUsage>()
  readonly #queue: string[] = []
  #live = false
  #nextId = 0
  #threadId: string | undefined
  #sessionOpen = false
  #narrow = false
  #model: string | undefined
  #chosenModel: string | undefined
  /** Known once the turn really runs: before that the server refuses to interrupt or steer it. */
  #turnId: string | undefined
  #turnOpen = false
  #firstTurn = true
  #interruptWanted = false
  #closing = false
  #settled = false
  #contextTokens: { used: number; max: number } = { used: 0, max: 0 }
  #limitResetAt: number | undefined
  #plans = 0

  constructor(options: RunOptions) {
    this.#options = options
    this.#items = new ItemReader({ cwd: options.cwd })
  }

  start(): Effect[] {
    this.#live = true
    this.#queue.push(firstPrompt(this.#options))
    const capabilities = { experimentalApi: true, requestAttestation: false, optOutNotificationMethods: OPTED_OUT }
    return [
      ...warnings(this.#options).map(warn),
      this.#request({ kind: 'initialize' }, 'initialize', { clientInfo: CLIENT, capabilities }),
    ]
  }

  onRecord(record: JsonRecord): Effect[] {
    const { method } = record
    if (typeof method === 'string') {
      const params = asRecord(record.params) ?? {}
      return isRequestId(record.id) ? this.#onRequest(record.id, method, params) : this.#onNotice(method, params)
    }
    if (!isRequestId(record.id)) return [{ unrecognized: 'untyped' }]
    return record.error === undefined
      ? this.#onResult(record.id, record.result)
      : this.#onError(record.id, record.error)
  }

  onCommand(command: DialogueCommand): Effect[] | null {
    switch (command.type) {
      case 'user_turn':
        this.#queue.push(command.text)
        return this.#turnOpen ? [] : this.#startNext()
      case 'steer':
        return this.#steer(command.text)
      case 'interrupt':
        return this.#interrupt()
      case 'set_model':
        this.#chosenModel = command.model
        return []
      case 'close':
        // A closed stdin ends the server in the middle of a turn, so the turns that were asked for go first.
        this.#closing = true
        return this.busy() ? [] : [{ closeStdin: true }]
      default:
        return this.#answer(command)
    }
  }

  busy(): boolean {
    return this.#turnOpen || this.#queue.length > 0
  }

  onExit(exit: DialogueExit): Effect[] {
    return this.#settled && !this.#turnOpen ? [] : exitFailure(exit, undefined)
  }

  #request(sent: Sent, method: string, params: JsonRecord): Effect {
    this.#nextId += 1
    this.#sent.set(this.#nextId, sent)
    return { write: JSON.stringify({ id: this.#nextId, method, params }) }
  }

  #onResult(id: string | number, result: unknown): Effect[] {
    const record = asRecord(result) ?? {}
    const kind = this.#take(id)?.kind
    if (kind === 'initialize') {
      const { method, params } = openThread(this.#options)
      return [{ write: '{"method":"initialized"}' }, this.#request({ kind: 'thread' }, method, params)]
    }
    // A recording is read without what was asked: an answer with a thread in it opens the session there too.
    if (kind === 'thread' || (!this.#live && record.thread !== undefined)) {
      const session = this.#openSession(asRecord(record.thread) ?? {}, asString(record.model))
      this.#narrow = mustNarrow(this.#options, record.sandbox)
      if (this.#narrow)
        session.push(warn('The last turn of this session ran without a sandbox; this run is read-only.'))
      return this.#live ? [...session, ...this.#startNext()] : session
    }
    return []
  }

  #onError(id: string | number, error: unknown): Effect[] {
    const message = asString(asRecord(error)?.message) ?? 'The request failed.'
    const sent = this.#take(id)
    if (!this.#live) return isMissingSession(message) ? this.#endSession(message) : []
    switch (sent?.kind) {
      case 'initialize':
      case 'thread':
        return [...this.#endSession(message), { closeStdin: true }]
      case 'turn':
        return this.#endTurn(turnFailure(message), false)
      case 'steer':
        // The turn ended meanwhile: what was said begins the next one.
        this.#queue.unshift(sent.text)
        return this.#turnOpen ? [] : this.#startNext()
      default:
        return [warn(message)]
    }
  }

  #endSession(message: string): Effect[] {
    this.#settled = true
    this.#queue.length = 0
    return sessionFailure(message)
  }

  #take(id: string | number): Sent | undefined {
    if (typeof id !== 'number') return undefined
    const sent = this.#sent.get(id)
    this.#sent.delete(id)
    return sent
  }

  #openSession(thread: JsonRecord, model: string | undefined): Effect[] {
    const sessionId = asString(thread.id)
    if (sessionId === undefined || this.#sessionOpen || (this.#threadId ?? sessionId) !== sessionId) return []
    this.#threadId = sessionId
    this.#sessionOpen = true
    const forkedFrom = asString(thread.forkedFromId)
    const resumed = this.#options.sessionId !== undefined
    const effects: Effect[] = [{ emit: { type: 'session_start', sessionId, resumed, forkedFrom } }]
    if (forkedFrom !== undefined) effects.push({ emit: { type: 'session_fork', sessionId, forkedFrom } })
    return [...effects, ...this.#useModel(model ?? asString(thread.model))]
  }

  #useModel(model: string | undefined): Effect[] {
    if (model === undefined || model === this.#model) return []
    this.#model = model
    return [{ model }]
  }

  #startNext(): Effect[] {
    if (this.#threadId === undefined || !this.#live) return []
    const text = this.#queue.shift()
    if (text === undefined) return this.#closing || this.#options.nonInteractive ? [{ closeStdin: true }] : []
    const turn = {
      threadId: this.#threadId,
      text,
      model: this.#model,
      chosen: this.#chosenModel,
      first: this.#firstTurn,
      narrow: this.#narrow,
    }
    this.#firstTurn = false
    this.#turnOpen = true
    this.#turnId = undefined
    return [this.#request({ kind: 'turn' }, 'turn/start', turnParams(this.#options, turn))]
  }

  #steer(text: string): Effect[] {
    const { threadId, turnId } = { threadId: this.#threadId, turnId: this.#turnId }
    if (!this.#turnOpen || threadId === undefined || turnId === undefined) {
      this.#queue.push(text)
      return this.#turnOpen ? [] : this.#startNext()
    }
    const params = { threadId, expectedTurnId: turnId, input: [textInput(text)] }
    return [this.#request({ kind: 'steer', text }, 'turn/steer', params)]
  }

  /** Sent only while a turn runs: the server never answers an interrupt of nothing. */
  #interrupt(): Effect[] {
    if (!this.#turnOpen) return []
    this.#interruptWanted = this.#turnId === undefined
    if (this.#interruptWanted) return []
    return [this.#request({ kind: 'interrupt' }, 'turn/interrupt', { threadId: this.#threadId, turnId: this.#turnId })]
  }

  #answer(command: DialogueCommand & { interactionId: string }): Effect[] | null {
    const waiting = this.#pending.get(command.interactionId)
    if (!waiting) return null
    const result = waiting.request.answer(command)
    if (result === null) return null
    this.#pending.delete(command.interactionId)
    return result === undefined ? [] : [reply(waiting.id, result)]
  }

  #onRequest(id: string | number, method: string, params: JsonRecord): Effect[] {
    const items = this.#itemsOf(params) ?? this.#items
    const item =
      method === 'mcpServer/elicitation/request'
        ? items.openMcpCall(params.serverName)
        : items.open(asString(params.itemId) ?? '')
    const requests = readRequest(id, method, params, item)
    if (requests === null) {
      const unknown: Effect = { unrecognized: `request:${method}` }
      return this.#live ? [refuse(id, `agent-mux does not know ${method}`), unknown] : [unknown]
    }
    const effects = requests.flatMap(({ events }) => events)
    for (const request of requests) this.#pending.set(request.interactionId, { id, request })
    if (!this.#live || !declinesRequests(this.#options)) return effects
    const reason = this.#options.approvalMode === 'deny' ? 'The approval mode is deny.' : 'Nobody is there to ask.'
    for (const { interactionId, isApproval } of requests) {
      effects.push(...(this.#answer({ type: 'deny', interactionId, reason }) ?? []))
      if (isApproval) effects.push(verdict(interactionId, { type: 'deny', reason }))
    }
    return effects
  }

  #itemsOf(params: JsonRecord): ItemReader | undefined {
    const threadId = asString(params.threadId)
    if (threadId === undefined || threadId === this.#threadId) return this.#items
    return this.#subagents.get(threadId)?.items
  }

  #onNotice(method: string, params: JsonRecord): Effect[] {
    // The commonest first: one comparison, one small object.
    if (method === 'item/agentMessage/delta') {
      return this.#itemsOf(params)?.textDelta(params.itemId, asString(params.delta) ?? '') ?? []
    }
    if (this.#threadId === undefined && !this.#live) this.#adoptThread(params)
    switch (method) {
      case 'item/commandExecution/outputDelta':
        return this.#itemsOf(params)?.shellDelta(params.itemId, asString(params.delta) ?? '') ?? []
      case 'item/reasoning/summaryTextDelta':
      case 'item/reasoning/textDelta':
        return this.#itemsOf(params)?.thinkingDelta(params.itemId, asString(params.delta) ?? '') ?? []
      case 'item/reasoning/summaryPartAdded':
        return this.#itemsOf(params)?.thinkingPart(params.itemId) ?? []
      case 'item/started':
        return this.#itemStarted(params, asRecord(params.item) ?? {})
      case 'item/completed':
        return this.#itemCompleted(params, asRecord(params.item) ?? {})
      case 'thread/tokenUsage/updated':
        return this.#onUsage(params, asRecord(params.tokenUsage) ?? {})
      case 'thread/started':
        return this.#live ? [] : this.#openSession(asRecord(params.thread) ?? {}, undefined)
      case 'thread/settings/updated':
        return this.#isMain(params) ? this.#useModel(asString(asRecord(params.threadSettings)?.model)) : []
      case 'turn/started':
        return this.#turnStarted(params, asRecord(params.turn) ?? {})
      case 'turn/completed':
        return this.#turnCompleted(params, asRecord(params.turn) ?? {})
      case 'turn/plan/updated':
        return this.#isMain(params) ? this.#plan(params) : []
      case 'error':
        return this.#isMain(params) ? this.#onTurnError(params, asRecord(params.error) ?? {}) : []
      case 'account/rateLimits/updated':
        return this.#onRateLimits(asRecord(params.rateLimits) ?? {})
      case 'item/autoApprovalReview/completed':
        return this.#onReview(params, asRecord(params.review) ?? {})
      case 'model/rerouted':
        return [warn(`The model was changed to ${params.toModel}.`), ...this.#useModel(asString(params.toModel))]
      case 'mcpServer/startupStatus/updated':
        return params.status === 'failed' ? [warn(`MCP server ${params.name} did not start: ${params.error}`)] : []
      case 'warning':
      case 'guardianWarning':
        return [warn(asString(params.message) ?? '')]
      case 'configWarning':
      case 'deprecationNotice':
        return [{ emit: { type: 'debug', level: 'info', message: asString(params.summary) ?? '' } }]
      default:
        return SILENT.has(method) ? [] : [{ unrecognized: method }]
    }
  }

  #isMain(params: JsonRecord): boolean {
    return params.threadId === undefined || params.threadId === this.#threadId
  }

  /** In a recording that begins in the middle, the first thread that is named is the run's. */
  #adoptThread(params: JsonRecord): void {
    this.#threadId = asString(params.threadId)
  }

  #itemStarted(params: JsonRecord, item: JsonRecord): Effect[] {
    if (itemType(item) === 'subAgentActivity') return this.#subagentActivity(item)
    return this.#itemsOf(params)?.started(item) ?? []
  }

  #itemCompleted(params: JsonRecord, item: JsonRecord): Effect[] {
    if (itemType(item) === 'subAgentActivity') return this.#subagentActivity(item)
    this.#retries.reset()
    const effects = this.#itemsOf(params)?.completed(item) ?? []
    const itemId = asString(item.id)
    return itemId === undefined ? effects : [...this.#unseenVerdicts(itemId, item), ...effects]
  }

  /** In a recording the answer to an approval is not there, but what became of the call tells it. */
  #unseenVerdicts(itemId: string, item: JsonRecord): Effect[] {
    const effects: Effect[] = []
    for (const [interactionId, { request }] of this.#pending) {
      if (request.itemId !== itemId) continue
      this.#pending.delete(interactionId)
      const denied = item.status === 'declined' || /reject/.test(asString(asRecord(item.error)?.message) ?? '')
      if (request.isApproval) effects.push(verdict(interactionId, { type: denied ? 'deny' : 'approve' }))
    }
    return effects
  }

  #subagentActivity(item: JsonRecord): Effect[] {
    const subagentId = asString(item.agentThreadId)
    if (subagentId === undefined || this.#subagents.has(subagentId)) return []
    const agentName = asString(item.agentPath)?.split('/').at(-1) ?? 'subagent'
    const items = new ItemReader({ cwd: this.#options.cwd, parentToolCallId: asString(item.id) ?? subagentId })
    this.#subagents.set(subagentId, { name: agentName, items })
    return [{ emit: { type: 'subagent_spawn', subagentId, agentName, prompt: '' } }]
  }

  #onUsage(params: JsonRecord, tokenUsage: JsonRecord): Effect[] {
    const threadId = asString(params.threadId) ?? ''
    const isMain = this.#isMain(params)
    const usage = this.#usage.get(threadId) ?? new ThreadUsage()
    this.#usage.set(threadId, usage)
    if (isMain) {
      const used = asNumber(asRecord(tokenUsage.last)?.totalTokens) ?? 0
      this.#contextTokens = { used, max: asNumber(tokenUsage.modelContextWindow) ?? 0 }
    }
    const ownTurn = isMain ? this.#turnOpen && params.turnId === this.#turnId : this.#subagents.has(threadId)
    return usage.read(tokenUsage, ownTurn, this.#model)
  }

  #turnStarted(params: JsonRecord, turn: JsonRecord): Effect[] {
    if (!this.#isMain(params)) return []
    this.#turnOpen = true
    this.#settled = false
    this.#turnId = asString(turn.id) ?? this.#turnId
    const effects: Effect[] = [{ emit: { type: 'turn_start' } }]
    return this.#interruptWanted ? [...effects, ...this.#interrupt()] : effects
  }

  #turnCompleted(params: JsonRecord, turn: JsonRecord): Effect[] {
    if (!this.#isMain(params)) return this.#subagentDone(asString(params.threadId) ?? '', turn)
    if (!this.#turnOpen) return []
    switch (turn.status) {
      case 'completed':
        return this.#endTurn(structuredOutput(this.#options, this.#items.lastMessage), true)
      case 'interrupted':
        return this.#endTurn(failTurn('cancelled', { message: 'The turn was interrupted.' }), true)
      default: {
        const error = asRecord(turn.error) ?? {}
        const message = asString(error.message) ?? 'The turn failed.'
        const { used, max } = this.#contextTokens
        const detail = { usedTokens: used, maxTokens: max, resetAt: this.#limitResetAt }
        return this.#endTurn(turnFailure(message, error.codexErrorInfo, detail), false)
      }
    }
  }

  /** What comes of a turn, its end, and then the next one, or the end of the run where nothing more can come. */
  #endTurn(effects: Effect[], goOn: boolean): Effect[] {
    this.#turnOpen = false
    this.#turnId = undefined
    this.#interruptWanted = false
    this.#settled = true
    this.#pending.clear()
    if (!goOn) this.#queue.length = 0
    return [...effects, { emit: { type: 'turn_end' } }, ...this.#startNext()]
  }

  #subagentDone(subagentId: string, turn: JsonRecord): Effect[] {
    const subagent = this.#subagents.get(subagentId)
    if (!subagent) return []
    const agentName = subagent.name
    if (turn.status === 'completed') {
      return [{ emit: { type: 'subagent_result', subagentId, agentName, summary: subagent.items.lastMessage } }]
    }
    const error = asString(asRecord(turn.error)?.message) ?? asString(turn.status) ?? 'failed'
    return [{ emit: { type: 'subagent_error', subagentId, agentName, error } }]
  }

  /** The plan comes as a whole each time: a call of the tool that changed it. */
  #plan(params: JsonRecord): Effect[] {
    this.#plans += 1
    const call = { toolCallId: `plan-${this.#plans}`, toolName: 'update_plan' }
    const input = { plan: params.plan, explanation: params.explanation }
    return [
      { emit: { type: 'tool_call_ready', ...call, input } },
      { emit: { type: 'tool_result', ...call, output: '' } },
    ]
  }

  /** A fatal error is told again by the turn's end; a retry only here. */
  #onTurnError(params: JsonRecord, error: JsonRecord): Effect[] {
    if (params.willRetry !== true) return []
    const message = asString(error.message) ?? ''
    const details = asString(error.additionalDetails)
    const retry = this.#retries.read(message, error.codexErrorInfo, details) ?? [warn(message)]
    // Codex would go on trying: for us the turn is over.
    return retry.some((effect) => 'fail' in effect) ? this.#endTurn(retry, false) : retry
  }

  #onRateLimits(limits: JsonRecord): Effect[] {
    for (const window of ['primary', 'secondary'] as const) {
      const state = asRecord(limits[window])
      const resetsAt = asNumber(state?.resetsAt)
      if (resetsAt === undefined || (asNumber(state?.usedPercent) ?? 0) < 100) continue
      const resetAt = resetsAt * 1000
      if (this.#limitResetAt === resetAt) continue
      this.#limitResetAt = resetAt
      return [{ emit: { type: 'rate_limited', resetAt, window } }]
    }
    return []
  }

  /** Codex's own reviewer decided in place of the user. */
  #onReview(params: JsonRecord, review: JsonRecord): Effect[] {
    const interactionId = asString(params.reviewId) ?? ''
    const reason = asString(review.rationale)
    const toolCallId = asString(params.targetItemId)
    const fields = { action: 'automatic review', detail: reason ?? '', toolCallId, riskLevel: 'high' } as const
    const request: Effect = { emit: { type: 'approval_request', interactionId, ...fields } }
    return [
      request,
      verdict(interactionId, review.status === 'approved' ? { type: 'approve' } : { type: 'deny', reason }),
    ]
  }
}

function verdict(interactionId: string, command: { type: string; reason?: string }): Effect {
  return command.type === 'approve'
    ? { emit: { type: 'approval_granted', interactionId } }
    : { emit: { type: 'approval_denied', interactionId, reason: command.reason } }
}
