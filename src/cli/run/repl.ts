import { createInterface } from 'node:readline'
import { isAgentMuxError } from '../../contract/errors.ts'
import type { AgentEvent } from '../../contract/events.ts'
import type { RunHandle, RunResult } from '../../contract/run-handle.ts'
import type { CostRecord } from '../../contract/usage.ts'
import type { Paint } from '../output.ts'
import { formatCost, formatCount, oneLine } from '../text.ts'
import { type Answerer, askUser, denyAll } from './interactions.ts'
import { LineInput, PROMPT } from './line-input.ts'
import { watchSignals } from './signals.ts'
import type { RunView } from './view.ts'

const NOBODY_LEFT = 'The input has ended: nobody is left to answer.'

const HELP = `
/exit, /quit      end the run
/abort            end it at once
/interrupt        stop the current turn (also ^C)
/pause, /resume   hold the agent's process, let it go on
/approve, /deny   answer the oldest approval
/answer TEXT      answer the oldest question
/status           state of the run
/cost             tokens and cost so far
/session          id of the session
/help             this list
Anything else is the next prompt.`.trim()

export interface ReplOptions {
  start(prompt: string): RunHandle
  firstPrompt?: string
  /** Lines come from a person, who sees a prompt and is asked for approvals. */
  isTerminal: boolean
  /** Where the prompt and the user's typing are shown. */
  terminal: NodeJS.WritableStream
  createView(): RunView
  say(text: string): void
  paint: Paint
  onRun(handle: RunHandle): void
}

/** Several turns on one process: prompts by line, `/commands` between and during them. */
export async function repl(options: ReplOptions): Promise<RunResult | null> {
  const { isTerminal, terminal } = options
  const lines = new LineInput(
    createInterface({ input: process.stdin, output: isTerminal ? terminal : undefined, prompt: PROMPT }),
  )
  try {
    const first = options.firstPrompt ?? (await firstPrompt(lines, options))
    if (first === null) return null
    const handle = options.start(first)
    options.onRun(handle)
    return await new Conversation(handle, lines, options).follow()
  } finally {
    lines.close()
    process.stdin.pause()
  }
}

/** There is no run yet, so only leaving and help make sense besides a prompt. */
function firstPrompt(lines: LineInput, { isTerminal, say }: ReplOptions): Promise<string | null> {
  const show = () => {
    if (isTerminal) lines.prompt()
  }
  show()
  return new Promise((resolve) => {
    const done = (prompt: string | null) => {
      lines.listen(null)
      resolve(prompt)
    }
    lines.listen({
      line(line) {
        const text = line.trim()
        if (text === '/exit' || text === '/quit' || text === '/abort') done(null)
        else if (text !== '' && !text.startsWith('/')) done(line)
        else {
          if (text !== '') say(text === '/help' ? HELP : 'No run yet: type a prompt first, or /exit')
          show()
        }
      },
      end: () => done(null),
      interrupt: () => done(null),
    })
  })
}

class Conversation {
  readonly #handle: RunHandle
  readonly #lines: LineInput
  readonly #options: ReplOptions
  readonly #view: RunView
  readonly #queued: string[] = []
  readonly #usage = { inputTokens: 0, outputTokens: 0, turns: 0 }
  #cost: CostRecord | null = null
  #sessionId = ''
  #isBusy = true
  #inputEnded = false
  #onAnswer: ((line: string | null) => void) | null = null

  constructor(handle: RunHandle, lines: LineInput, options: ReplOptions) {
    this.#handle = handle
    this.#lines = lines
    this.#options = options
    this.#view = options.createView()
  }

  async follow(): Promise<RunResult> {
    const { isTerminal, say, paint } = this.#options
    const signals = watchSignals(this.#handle, (text) => this.#say(text))
    const answer: Answerer = isTerminal
      ? askUser(this.#handle, {
          ask: (question, signal) => this.#ask(question, signal),
          pause: () => this.#view.pause(),
          say,
          paint,
        })
      : this.#denyOnceAlone()
    this.#lines.listen({
      line: (line) => this.#line(line),
      end: () => this.#endOfInput(),
      interrupt: () => (this.#isBusy ? signals.interrupt() : this.#interruptedIdle()),
    })
    try {
      for await (const event of this.#handle) {
        await this.#view.event(event)
        await answer(event)
        this.#note(event)
      }
      const result = await this.#handle.result()
      await this.#view.finish(result)
      return result
    } catch (error) {
      this.#view.pause()
      throw error
    } finally {
      signals.stop()
      this.#onAnswer?.(null)
    }
  }

  /** Without a terminal the other side answers by `/approve` and `/deny`, as long as it is there. */
  #denyOnceAlone(): Answerer {
    const deny = denyAll(this.#handle)
    return (event) => (this.#inputEnded ? deny(event) : undefined)
  }

  #ask(question: string, signal: AbortSignal): Promise<string | null> {
    if (this.#inputEnded || signal.aborted) return Promise.resolve(null)
    this.#lines.prompt(question)
    return new Promise((resolve) => {
      const done = (line: string | null) => {
        this.#onAnswer = null
        resolve(line)
      }
      this.#onAnswer = done
      signal.addEventListener('abort', () => done(null), { once: true })
    })
  }

  #line(line: string): void {
    const text = line.trim()
    if (text.startsWith('/')) void this.#slash(text).catch((error: unknown) => this.#report(error))
    else if (this.#onAnswer) this.#onAnswer(line)
    else {
      if (text !== '') this.#queued.push(line)
      if (!this.#isBusy) this.#next()
    }
  }

  /** One turn at a time: what is typed during one waits here. */
  #next(): void {
    const prompt = this.#queued.shift()
    if (prompt !== undefined) {
      this.#isBusy = true
      this.#handle.send(prompt).catch((error: unknown) => {
        this.#isBusy = false
        this.#report(error)
      })
    } else if (this.#inputEnded) void this.#handle.close()
    else {
      if (this.#options.isTerminal) this.#say('')
      this.#showPrompt()
    }
  }

  #note(event: AgentEvent): void {
    switch (event.type) {
      case 'session_start':
      case 'session_checkpoint':
        this.#sessionId = event.sessionId
        break
      case 'token_usage':
        this.#usage.inputTokens += event.inputTokens
        this.#usage.outputTokens += event.outputTokens
        break
      case 'cost':
        this.#cost = event.cost
        break
      case 'turn_start':
        this.#isBusy = true
        break
      case 'turn_end':
        this.#usage.turns += 1
        this.#isBusy = false
        this.#next()
    }
  }

  async #slash(text: string): Promise<void> {
    const [name = '', ...words] = text.slice(1).split(/\s+/)
    const rest = words.join(' ')
    switch (name) {
      case 'exit':
      case 'quit':
        return this.#isBusy ? this.#handle.abort() : this.#handle.close()
      case 'abort':
        return this.#handle.abort()
      case 'interrupt':
        return this.#isBusy ? this.#handle.interrupt() : this.#say('No turn is running')
      case 'pause':
        return this.#handle.pause()
      case 'resume':
        return this.#handle.resume()
      case 'approve':
        return this.#handle.approve()
      case 'deny':
        return this.#handle.deny(rest || undefined)
      case 'answer':
        return this.#answer(rest)
      case 'status':
        return this.#sayAndPrompt(this.#status())
      case 'cost':
        return this.#sayAndPrompt(this.#costs())
      case 'session':
        return this.#sayAndPrompt(this.#sessionId || 'The agent has not reported its session yet')
      case 'help':
        return this.#sayAndPrompt(HELP)
      default:
        return this.#sayAndPrompt(`Unknown command /${name}; /help lists them`)
    }
  }

  #answer(text: string): void {
    const question = this.#handle.interaction.pending.find(({ type }) => type === 'input')
    if (question) this.#handle.interaction.respond(question.id, { type: 'text', text })
    else this.#say('No question is open')
  }

  #status(): string {
    const { agent, model, state, interaction } = this.#handle
    const waiting = interaction.pending.length > 0 ? `, ${interaction.pending.length} waiting for an answer` : ''
    const queued = this.#queued.length > 0 ? `, ${this.#queued.length} queued` : ''
    const activity = this.#isBusy ? 'working' : 'idle'
    return `${agent}${model ? ` (${model})` : ''}: ${state}, ${activity}, ${this.#usage.turns} turns${queued}${waiting}`
  }

  #costs(): string {
    const { inputTokens, outputTokens } = this.#usage
    return `${formatCount(inputTokens)} in, ${formatCount(outputTokens)} out, ${formatCost(this.#cost)}`
  }

  #endOfInput(): void {
    if (this.#inputEnded) return
    this.#inputEnded = true
    this.#onAnswer?.(null)
    this.#handle.interaction.denyAll(NOBODY_LEFT)
    if (!this.#isBusy) void this.#handle.close()
  }

  #interruptedIdle(): void {
    this.#say('(/exit or ^D to leave)')
    this.#showPrompt()
  }

  #showPrompt(): void {
    if (!this.#options.isTerminal || this.#onAnswer) return
    this.#view.pause()
    this.#lines.prompt()
  }

  #say(text: string): void {
    this.#view.pause()
    this.#options.say(text)
  }

  #sayAndPrompt(text: string): void {
    this.#say(text)
    if (!this.#isBusy) this.#showPrompt()
  }

  #report(error: unknown): void {
    const message = isAgentMuxError(error) || error instanceof Error ? error.message : String(error)
    this.#sayAndPrompt(`${this.#options.paint('red', '✗')} ${oneLine(message)}`)
  }
}
