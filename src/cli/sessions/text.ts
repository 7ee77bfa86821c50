import type { Fact } from '../../contract/activity.ts'
import type { Resumable } from '../../contract/session-manager.ts'
import type { Session, SessionMessage, SessionToolCall } from '../../contract/sessions.ts'
import { textOf } from '../../core/json.ts'
import { callName } from '../daemon/call-name.ts'
import type { Paint } from '../output.ts'
import { describeInput } from '../run/tool-text.ts'
import { type Cell, details } from '../table.ts'
import { formatCost, formatCount, oneLine, printable, truncate } from '../text.ts'
import { formatTime } from '../times.ts'
import { tilde } from './table.ts'

export interface TranscriptStyle {
  paint: Paint
  width: number
  /** All of what tools said, not only how it begins. */
  full: boolean
  thinking: boolean
}

const SHOWN_LINES = 5

/** What is known of a session, before its words. */
/** What is found out of a session beside what is kept of it. */
interface Found {
  resumable: Resumable
  activity: Fact | null
}

export function sessionHead(session: Session, { resumable, activity }: Found, paint: Paint, width: number): string {
  const { unifiedId, title, model, cwd, createdAt, updatedAt, turnCount, tokenUsage, cost, tags } = session
  const rows: [string, string | undefined][] = [
    ['session', unifiedId],
    ['in background', session.managed && callName(session.managed)],
    ['forked from', session.forkedFrom],
    ['continues', session.continuedFrom],
    ...(session.continuedIn ?? []).map((id, i): [string, string] => [i === 0 ? 'went on in' : '', id]),
    ['model', model],
    ['directory', cwd && tilde(cwd)],
    ['when', `${formatTime(createdAt)} to ${formatTime(updatedAt)}`],
    ['state', activity ? `${activity.state}${activity.detail ? `: ${activity.detail}` : ''}` : undefined],
    ['turns', String(turnCount)],
    ['tags', tags.join(', ')],
    ['tokens', tokenUsage && `${formatCount(tokenUsage.inputTokens)} in, ${formatCount(tokenUsage.outputTokens)} out`],
    ['cost', formatCost(cost ?? null)],
    ['resumable', resumable.resumable ? 'yes' : `no: ${resumable.reason}`],
  ]
  const known = rows.flatMap(([name, value]) =>
    value ? [[{ text: `  ${name}`, style: 'dim' }, value] satisfies [Cell, string]] : [],
  )
  return `${paint('bold', truncate(oneLine(title) || unifiedId, width))}\n${details(known, paint, width)}`
}

export function transcript(messages: readonly SessionMessage[], style: TranscriptStyle): string {
  return messages.map((message) => messageText(message, style)).join('')
}

function messageText({ role, content, thinking, toolCalls = [], toolResult }: SessionMessage, style: TranscriptStyle) {
  const parts = [
    ...(thinking && style.thinking ? [thinkingText(thinking, style)] : []),
    ...(content.trim() === '' ? [] : [role === 'user' ? userText(content, style) : spoken(content)]),
    ...toolCalls.map((call) => callText(call, style)),
    ...(toolResult ? [outputText(toolResult.output, style)] : []),
  ]
  return parts.filter((part) => part !== '').join('')
}

export function userText(content: string, { paint }: TranscriptStyle): string {
  const lines = printable(content.trim()).split('\n')
  return `\n${lines.map((line, i) => `${paint('cyan', i === 0 ? '›' : ' ')} ${paint('bold', line)}`).join('\n')}\n`
}

export function spoken(content: string): string {
  return `\n${printable(content.trim())}\n`
}

export function thinkingText(thinking: string, { paint }: TranscriptStyle): string {
  return `\n${paint('dim', printable(thinking.trim()))}\n`
}

export function callLine(toolName: string, input: unknown, { paint, width }: TranscriptStyle): string {
  const head = `${paint('green', '●')} ${toolName}`
  const rest = truncate(describeInput(input), Math.max(20, width - toolName.length - 4))
  return rest === '' ? `${head}\n` : `${head} ${paint('dim', rest)}\n`
}

function callText({ toolName, input, output }: SessionToolCall, style: TranscriptStyle): string {
  return callLine(toolName, input, style) + (output === undefined ? '' : outputText(output, style))
}

/** The first lines of what a tool said, and how many more there are. */
export function outputText(output: unknown, { paint, width, full }: TranscriptStyle): string {
  const lines = printable(textOf(output)).trimEnd().split('\n')
  if (lines.length === 1 && lines[0] === '') return ''
  const shown = full ? lines : lines.slice(0, SHOWN_LINES).map((line) => truncate(line, width - 4))
  const rest = lines.length - shown.length
  const more = rest > 0 ? [`… ${rest} more lines`] : []
  return [...shown, ...more].map((line) => `${paint('dim', `  ${line}`)}\n`).join('')
}
