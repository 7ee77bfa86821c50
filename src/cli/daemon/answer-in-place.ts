import type { DaemonClient } from '../../client/index.ts'
import type { ManagedSession } from '../../contract/api/managed-session.ts'
import { isAgentMuxError } from '../../contract/errors.ts'
import type { Paint } from '../output.ts'
import { type Ask, askFor, readOption } from '../run/interactions.ts'
import { type Asked, answerCommands, answerLine, askedBy, askedLines, hiddenLines } from './asked.ts'
import { callName } from './call-name.ts'

export interface AskingOptions {
  client: DaemonClient
  /** Null: nobody can be asked here; what to type elsewhere is shown. */
  ask: Ask | null
  say(line: string): void
  /** Before anything is said. */
  pause(): void
  paint: Paint
}

/** Shows what a session waits for, each once, and asks for the answer where somebody can give it. */
export class Asking {
  readonly #options: AskingOptions
  readonly #seen = new Set<string>()
  #open: { key: string; withdraw: AbortController } | null = null
  #waiting = 0
  #isClosed = false
  #done: Promise<void> = Promise.resolve()

  constructor(options: AskingOptions) {
    this.#options = options
  }

  /** Whether a question is on the terminal, or about to be: nothing may be written into it. */
  get isBusy(): boolean {
    return this.#waiting > 0
  }

  /** Resolves when it does not. */
  get idle(): Promise<void> {
    return this.#done
  }

  /** The session as it is now. A question that somebody has answered elsewhere goes away. */
  update(session: ManagedSession): void {
    const asked = askedBy(session)
    if (this.#open && !asked.some(({ key }) => key === this.#open?.key)) this.#open.withdraw.abort()
    const news = asked.filter(({ key }) => !this.#seen.has(key))
    for (const one of news) {
      this.#seen.add(one.key)
      this.#waiting += 1
      const put = this.#done.then(() => this.#put(one, session, one === asked[0]))
      this.#done = put.finally(() => {
        this.#waiting -= 1
      })
    }
  }

  /** Nothing more is asked. */
  close(): void {
    this.#isClosed = true
    this.#open?.withdraw.abort()
  }

  async #put(asked: Asked, session: ManagedSession, oldest: boolean): Promise<void> {
    const { ask, say, pause, paint } = this.#options
    if (this.#isClosed) return
    pause()
    const how = ask === null ? `amux show ${callName(session)} --full` : 'v shows all'
    for (const line of askedLines(asked, session.agent, paint, { how })) say(line)
    const commands = answerCommands(asked, session, oldest)
    const answerable = asked.request !== null || asked.type === 'approval'
    if (ask === null || !answerable) return say(answerLine(commands, paint))
    const withdraw = new AbortController()
    this.#open = { key: asked.key, withdraw }
    try {
      await this.#answer(asked, session, ask, withdraw.signal)
    } catch (error) {
      if (!isAgentMuxError(error)) throw error
      say(`  ${error.message}`)
      // On its own screen it can be answered in any case.
      if (asked.request === null) say(answerLine(commands.slice(-1), paint))
    } finally {
      this.#open = null
    }
  }

  async #answer(asked: Asked, { id }: ManagedSession, ask: Ask, signal: AbortSignal): Promise<void> {
    const { client, say, paint } = this.#options
    const { request, type } = asked
    const interactionId = request?.id ?? 'oldest'
    const gone = () => say('\n  (no longer asked)')
    if (type === 'approval') {
      const all = hiddenLines(asked, paint)
      const showAll = () => all.forEach((line) => void say(`    ${line}`))
      const choices = all.length > 0 ? '  [y]es, [n]o or [v]iew all? ' : '  [y]es or [n]o? '
      const decision = await askFor(ask, choices, signal, (line) => readYesNo(line, all.length > 0 ? showAll : null))
      if (signal.aborted) return gone()
      // Without an answer (^D) it stays asked: others may still answer it.
      if (decision !== null) await client.call('answer', { id, interactionId, decision })
      return
    }
    const options = request?.detail.kind === 'input' ? (request.detail.options ?? []) : []
    const prompt = options.length > 0 ? '  a number, or your own words: ' : '  › '
    const text = await askFor(ask, prompt, signal, (line) => readOption(line, options))
    if (signal.aborted) return gone()
    if (text !== null) await client.call('answer', { id, interactionId, decision: 'text', text })
  }
}

function readYesNo(line: string, showAll: (() => void) | null): 'approve' | 'deny' | null {
  const word = line.toLowerCase()
  if (word === '') return null
  if (showAll !== null && 'view'.startsWith(word)) showAll()
  return 'yes'.startsWith(word) ? 'approve' : 'no'.startsWith(word) ? 'deny' : null
}
