import type { DialogueCommand } from '../../contract/dialogue.ts'
import { isAgentMuxError } from '../../contract/errors.ts'
import type { AgentEvent } from '../../contract/events.ts'
import type { AgentName } from '../../contract/names.ts'
import type { InteractionResponse, RunHandle, RunResult } from '../../contract/run-handle.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { asArray, asRecord, asString, parseRecord } from '../../core/json.ts'
import { LineSplitter } from '../../core/lines.ts'
import { usageError } from '../command.ts'
import type { Output } from '../output.ts'
import { answeredByUs, watchAnnounced } from './interactions.ts'
import { watchSignals } from './signals.ts'
import { eventLines } from './view.ts'

interface RunStarter {
  /** Rejects when the agent cannot be used here. */
  check(agent: AgentName): Promise<void>
  start(options: RunOptions): RunHandle
}

/**
 * One run for another program, as the adapter `agent-mux-remote` drives it. The first line of stdin is
 * `{"type":"run","options":{…}}`, each later one a `DialogueCommand`; stdout is that of `--json` and, after a request
 * that waits for an answer, `run_waiting`. A command that could not be obeyed is reported as `run_refused`.
 */
export async function runOverStdio(output: Output, { check, start }: RunStarter): Promise<RunResult> {
  try {
    const lines = linesOf(process.stdin)
    const options = readRequest((await lines.next()).value ?? '')
    if (options.agent !== undefined) await check(options.agent)
    const handle = start(options)
    const link = new RunLink(handle, options.keepOpen ?? false, output)
    void link.listen(lines)
    return await follow(handle, link, output)
  } finally {
    process.stdin.destroy() // we would stay for as long as the other side does
  }
}

async function follow(handle: RunHandle, link: RunLink, output: Output): Promise<RunResult> {
  const view = eventLines(output)
  const signals = watchSignals(handle, (text) => output.note(text))
  try {
    for await (const event of handle) {
      await view.event(event)
      await link.after(event)
    }
    const result = await handle.result()
    await view.finish(result)
    return result
  } finally {
    signals.stop()
    await handle.abort()
  }
}

async function* linesOf(input: AsyncIterable<Buffer>): AsyncGenerator<string, string> {
  const splitter = new LineSplitter()
  for await (const chunk of input) yield* splitter.push(chunk)
  return splitter.flush() ?? ''
}

function readRequest(line: string): RunOptions {
  const request = parseRecord(line)
  const options = asRecord(request?.options)
  if (request?.type !== 'run' || !options) {
    throw usageError('--stdio needs {"type":"run","options":{…}} as the first line of standard input')
  }
  const { prompt, ...rest } = options
  const parts = asArray(prompt).map(String)
  const questions = request.answers === true ? { onInputRequired: answeredByUs } : {}
  return { ...rest, ...questions, prompt: asString(prompt) ?? parts }
}

/** Connects a run to its reader, who sends turns and answers, and ends it. */
class RunLink {
  readonly #handle: RunHandle
  readonly #staysOpen: boolean
  readonly #output: Output
  readonly #needsAnswer: ReturnType<typeof watchAnnounced>
  /** Turns sent that have not begun. */
  #queuedTurns = 1
  #isClosing = false
  #release: () => void = () => {}

  constructor(handle: RunHandle, staysOpen: boolean, output: Output) {
    this.#handle = handle
    this.#staysOpen = staysOpen
    this.#output = output
    this.#needsAnswer = watchAnnounced(handle)
  }

  /** Without a goodbye the end of the input is that of the link: nobody is left to work for. */
  async listen(lines: AsyncIterable<string>): Promise<void> {
    try {
      for await (const line of lines) if (line.trim() !== '') await this.#obey(line)
    } catch {
      // a broken pipe ends the input like any other end of it
    }
    if (!this.#isClosing) void this.#handle.abort()
    this.#release()
  }

  /** After a turn the run goes on, or ends, when its reader says so: only the reader knows whether there is another one. */
  async after(event: AgentEvent): Promise<void> {
    if (event.type === 'turn_start') this.#queuedTurns = Math.max(0, this.#queuedTurns - 1)
    else if (event.type === 'approval_request' || event.type === 'input_required') {
      const { interactionId } = event
      if (this.#needsAnswer(event)) await this.#write({ type: 'run_waiting', interactionId })
    } else if (event.type === 'turn_end' && !this.#staysOpen && !this.#isClosing && this.#queuedTurns === 0) {
      await new Promise<void>((resolve) => {
        this.#release = resolve
      })
    }
  }

  async #obey(line: string): Promise<void> {
    const command = readCommand(line)
    try {
      if (!command) throw usageError(`Not a command: ${line.slice(0, 200)}`)
      await this.#perform(command)
    } catch (error) {
      if (command?.type === 'user_turn') this.#queuedTurns -= 1
      const message = error instanceof Error ? error.message : String(error)
      const code = isAgentMuxError(error) ? error.code : 'INTERNAL'
      await this.#write({ type: 'run_refused', command: command?.type, error: { code, message } })
    }
  }

  async #perform(command: DialogueCommand): Promise<void> {
    switch (command.type) {
      case 'user_turn':
        this.#queuedTurns += 1
        this.#isClosing = false
        await this.#handle.send(command.text)
        return this.#release()
      case 'close':
        this.#isClosing = true
        if (this.#staysOpen) await this.#handle.close()
        return this.#release()
      case 'steer':
        return this.#handle.steer(command.text)
      case 'interrupt':
        return this.#handle.interrupt()
      case 'set_model':
        return this.#handle.setModel(command.model)
      case 'approve':
        return this.#respond(command.interactionId, { type: 'approve', detail: command.detail })
      case 'deny':
        return this.#respond(command.interactionId, { type: 'deny', reason: command.reason })
      case 'answer':
        return this.#respond(command.interactionId, { type: 'text', text: command.text })
    }
  }

  /** An answer to what is settled already came too late, which is not an error. */
  #respond(id: string, response: InteractionResponse): void {
    const { interaction } = this.#handle
    if (interaction.pending.some((one) => one.id === id)) interaction.respond(id, response)
  }

  #write(record: object): Promise<void> {
    return this.#output.writeLine(JSON.stringify(record))
  }
}

function readCommand(line: string): DialogueCommand | null {
  const record = parseRecord(line) ?? {}
  const [text, model, interactionId] = [asString(record.text), asString(record.model), asString(record.interactionId)]
  switch (record.type) {
    case 'interrupt':
    case 'close':
      return { type: record.type }
    case 'user_turn':
    case 'steer':
      return text === undefined ? null : { type: record.type, text }
    case 'set_model':
      return model === undefined ? null : { type: record.type, model }
  }
  if (interactionId === undefined) return null
  switch (record.type) {
    case 'approve':
      return { type: record.type, interactionId, detail: asString(record.detail) }
    case 'deny':
      return { type: record.type, interactionId, reason: asString(record.reason) }
    case 'answer':
      return text === undefined ? null : { type: record.type, interactionId, text }
    default:
      return null
  }
}
