import { relative } from 'node:path'
import type { AgentEvent, EventOfType } from '../../contract/events.ts'
import type { RunResult } from '../../contract/run-handle.ts'
import { type Paint, plain, type Style } from '../output.ts'
import { formatDuration, oneLine, plural, printable, truncate } from '../text.ts'
import { type Clock, RunLines } from './lines.ts'
import { denialNote, noteOn } from './notes.ts'
import { summaryLines } from './summary.ts'
import { TextFlow, wrapWords } from './text-flow.ts'
import { countChanges, describeInput, OutputTail } from './tool-text.ts'
import { answerOf, type RunView } from './view.ts'

export interface RendererOptions {
  /** A terminal: text as it streams, and a status line that is rewritten. */
  live: boolean
  /** Everything about the work: the terminal, or stderr. */
  log(text: string): void
  /** The final answer, where it does not belong into the log. */
  answer(text: string): void
  paint: Paint
  width: number
  cwd: string
  debug: boolean
  agent: string
  noStatus?: boolean
  clock?: Clock
}

interface OpenTool {
  name: string
  input: string
  indent: string
  output: OutputTail
  exitCode?: number
}

/** Less of it says nothing. */
const SHORTEST_INPUT = 8

/** Turns events into readable lines. Knows streams only through the functions it is given. */
export class RunRenderer implements RunView {
  readonly #options: RendererOptions
  readonly #lines: RunLines
  readonly #tools = new Map<string, OpenTool>()
  readonly #requests = new Map<string, EventOfType<'approval_request'>>()
  /** Calls that were denied: the note on the denial says everything. */
  readonly #denied = new Set<string>()
  readonly #text: TextFlow
  readonly #thoughts: TextFlow
  #streamed = false
  /** Not live: the last message, held back because it may prove to be the answer. */
  #held: string | null = null

  constructor(options: RendererOptions) {
    this.#options = options
    this.#lines = new RunLines(options)
    const { width, paint } = options
    // Without styles its signs are all that distinguishes a heading from a paragraph.
    this.#text = new TextFlow({ width, paint, markdown: paint !== plain })
    this.#thoughts = new TextFlow({ width, paint, markdown: false })
    this.#lines.status(`starting ${options.agent}`)
  }

  event(event: AgentEvent): void {
    switch (event.type) {
      case 'session_start':
      case 'turn_start':
        this.#lines.status('working')
        break
      case 'message_start':
        this.#streamed = false
        break
      case 'text_delta':
        this.#say(event.delta)
        break
      case 'message_stop':
        this.#messageStop(event.text)
        break
      case 'thinking_delta':
        this.#thinking(event.delta)
        break
      case 'thinking_stop':
        this.#thinkingStop(event.thinking)
        break
      case 'tool_call_start':
      case 'tool_call_ready':
      case 'tool_result':
      case 'tool_error':
      case 'mcp_tool_call_start':
      case 'shell_stdout_delta':
      case 'shell_stderr_delta':
      case 'shell_exit':
        this.#tool(event)
        break
      case 'file_create':
        this.#work(`  ${this.#paint('green', '+')} ${this.#path(event.path)}`)
        break
      case 'file_write':
        this.#work(`  ${this.#paint('yellow', '~')} ${this.#path(event.path)}`)
        break
      case 'file_delete':
        this.#work(`  ${this.#paint('red', '-')} ${this.#path(event.path)}`)
        break
      case 'file_patch': {
        const { added, removed } = countChanges(event.diff)
        const size = event.diff === '' ? '' : this.#paint('dim', ` +${added} -${removed}`)
        this.#work(`  ${this.#paint('yellow', '~')} ${this.#path(event.path)}${size}`)
        break
      }
      case 'attempt_withdrawn':
        this.#withdrawn(event)
        break
      default:
        this.#note(event)
    }
  }

  pause(): void {
    this.#endText()
    this.#writeHeld() // somebody is waited for: this was not the answer
    this.#lines.leave()
  }

  finish(result: RunResult): void {
    const { live, log, answer, paint, width } = this.#options
    this.#endText()
    this.#lines.clearStatus()
    this.#lines.endLine()
    const final = answerOf(result)
    if (this.#held !== null && this.#held !== result.text) this.#writeHeld()
    if (live && result.structuredOutput !== undefined) log(`${printable(final)}\n`)
    if (!this.#lines.isEmpty) log('\n')
    for (const line of summaryLines(result, paint)) log(`${live ? wrapWords(line, width, '  ', paint) : line}\n`)
    if (this.#options.debug) {
      for (const [name, count] of Object.entries(result.unrecognized)) log(`  unknown record ${name} ×${count}\n`)
    }
    if (!live && final !== '') answer(`${final}\n`)
    this.#held = null
  }

  #paint(style: Style, text: string): string {
    return this.#options.paint(style, text)
  }

  // ── text ──────────────────────────────────────────────────────────────────────────────────────────────────────

  #say(delta: string): void {
    if (!this.#options.live || delta === '') return
    this.#streamed = true
    this.#endThoughts()
    this.#flow(this.#text.push(printable(delta)), 'text')
  }

  #flow(text: string, block: 'text' | 'thinking'): void {
    if (text === '') return
    this.#lines.begin(block)
    this.#lines.write(text, block === 'thinking' ? 'dim' : undefined)
  }

  /** Whatever was begun is written before anything else is. */
  #endText(): void {
    this.#endThoughts()
    this.#flow(this.#text.end(), 'text')
  }

  #endThoughts(): void {
    this.#flow(this.#thoughts.end(), 'thinking')
  }

  #messageStop(text: string): void {
    if (!this.#options.live) {
      this.#writeHeld()
      this.#held = text.trim() === '' ? null : text
      return
    }
    if (!this.#streamed) this.#say(text)
    this.#endText()
    this.#lines.endLine()
    this.#lines.status('working')
  }

  /** What is on the screen stays there, marked; what was held back is never shown. */
  #withdrawn(event: EventOfType<'attempt_withdrawn'>): void {
    const wasHeld = this.#held !== null && event.text.endsWith(this.#held)
    if (wasHeld) this.#held = null
    this.#tools.clear()
    const text = wasHeld ? '' : event.text
    this.#note({ ...event, text })
  }

  #writeHeld(): void {
    if (this.#held === null) return
    const text = this.#held
    this.#held = null
    this.#lines.whole('text', printable(text))
  }

  #thinking(delta: string): void {
    if (!this.#options.live || delta === '') return
    this.#flow(this.#thoughts.push(printable(delta)), 'thinking')
  }

  #thinkingStop(thinking: string): void {
    if (this.#options.live) {
      this.#endThoughts()
      this.#lines.endLine()
      this.#lines.status('working')
      return
    }
    if (thinking.trim() === '') return
    this.#lines.whole('thinking', printable(thinking.trim()), 'dim')
  }

  // ── tools ─────────────────────────────────────────────────────────────────────────────────────────────────────

  #tool(
    event: EventOfType<
      | 'tool_call_start'
      | 'tool_call_ready'
      | 'tool_result'
      | 'tool_error'
      | 'mcp_tool_call_start'
      | 'shell_stdout_delta'
      | 'shell_stderr_delta'
      | 'shell_exit'
    >,
  ): void {
    const id = event.toolCallId ?? [...this.#tools.keys()].at(-1) ?? ''
    const tool = this.#tools.get(id)
    switch (event.type) {
      case 'tool_call_start':
      case 'tool_call_ready': {
        const input = event.type === 'tool_call_ready' ? this.#short(describeInput(event.input)) : ''
        const indent = event.parentToolCallId === undefined ? '' : '  '
        this.#tools.set(id, { name: event.toolName, input, indent, output: new OutputTail() })
        break
      }
      case 'mcp_tool_call_start':
        if (tool) tool.name = `${event.server}.${event.toolName}`
        break
      case 'shell_stdout_delta':
      case 'shell_stderr_delta':
        tool?.output.push(event.delta)
        break
      case 'shell_exit':
        if (tool) tool.exitCode = event.exitCode
        break
      case 'tool_result':
      case 'tool_error':
        if (!this.#denied.delete(id))
          this.#toolDone(tool ?? { name: event.toolName, input: '', indent: '', output: new OutputTail() }, event)
        this.#tools.delete(id)
    }
    this.#toolStatus()
  }

  #toolDone(tool: OpenTool, event: EventOfType<'tool_result' | 'tool_error'>): void {
    const exit = tool.exitCode !== undefined && tool.exitCode > 0 ? [`exit ${tool.exitCode}`] : []
    const failed = event.type === 'tool_error' || exit.length > 0
    const mark = failed ? this.#paint('red', '✗') : this.#paint('green', '✓')
    const took = event.type === 'tool_result' ? [formatDuration(event.durationMs)] : []
    const facts = [...exit, ...took].join(', ')
    const room = this.#options.width - tool.indent.length - tool.name.length - facts.length - 6
    const input = room < SHORTEST_INPUT ? '' : truncate(tool.input, room)
    const line = [`${mark} ${this.#paint('bold', tool.name)}`, input, this.#paint('dim', facts)]
    this.#work(tool.indent + line.filter((part) => part !== '').join('  '))
    this.#toolOutput(tool, event.type === 'tool_error' ? event.error : '')
  }

  #toolOutput({ output, indent }: OpenTool, error: string): void {
    const lines = output.lines
    if (lines.length === 0 && error !== '') lines.push(oneLine(error))
    if (output.dropped > 0) this.#indented(`… ${plural(output.dropped, 'earlier line')}`, indent)
    for (const line of lines) this.#indented(line, indent)
  }

  #indented(line: string, indent: string): void {
    const room = this.#options.width - indent.length - 4
    this.#work(`${indent}    ${this.#paint('dim', truncate(printable(line).replaceAll('\t', '  '), room))}`)
  }

  /** What runs now: the call that began last, the last line of its output, and how many others there are. */
  #toolStatus(): void {
    const open = [...this.#tools.values()]
    const last = open.at(-1)
    if (!last) {
      this.#lines.status('working')
      return
    }
    const others = open.length > 1 ? ` (+${open.length - 1})` : ''
    const tail = last.output.lines.at(-1)
    this.#lines.status(`${last.name}${others}  ${last.input}${tail === undefined ? '' : `  │ ${oneLine(tail)}`}`)
  }

  #note(event: AgentEvent): void {
    if (event.type === 'approval_request') this.#requests.set(event.interactionId, event)
    const line = event.type === 'approval_denied' ? this.#denial(event) : noteOn(event, this.#options)
    if (line !== null) this.#work(line)
  }

  #denial(event: EventOfType<'approval_denied'>): string {
    const request = this.#requests.get(event.interactionId)
    if (request?.toolCallId !== undefined) this.#denied.add(request.toolCallId)
    return denialNote(event, request, this.#options)
  }

  /** Paths in the project without the way to it. */
  #short(input: string): string {
    return input.replaceAll(`${this.#options.cwd}/`, '')
  }

  #path(path: string): string {
    const inside = relative(this.#options.cwd, path)
    return printable(inside !== '' && !inside.startsWith('..') ? inside : path)
  }

  /** A whole line about the work, below text that came before it. */
  #work(line: string): void {
    const { live, width, paint } = this.#options
    this.#endText()
    this.#writeHeld()
    this.#lines.whole('work', live ? wrapWords(line, width, '  ', paint) : line)
    if (this.#tools.size > 0) this.#toolStatus()
  }
}
