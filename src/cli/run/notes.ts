import type { AgentEvent, EventOfType } from '../../contract/events.ts'
import type { Paint } from '../output.ts'
import { formatCount, formatDuration, oneLine, plural, printable, truncate } from '../text.ts'
import { OutputTail } from './tool-text.ts'

export interface NoteOptions {
  live: boolean
  debug: boolean
  paint: Paint
  width: number
}

/** The one line that an event is worth beside text and tools; null when there is nothing to say. */
export function noteOn(event: AgentEvent, { live, debug, paint, width }: NoteOptions): string | null {
  const warning = (text: string) => `${paint('yellow', '!')} ${oneLine(text)}`
  const short = (text: string) => shorten(text, width)
  switch (event.type) {
    case 'subagent_spawn':
      return `◌ ${event.agentName}: ${short(event.prompt)}`
    case 'subagent_result':
      return `${paint('green', '✓')} ${event.agentName}: ${short(event.summary)}`
    case 'subagent_error':
      return `${paint('red', '✗')} ${event.agentName}: ${short(event.error)}`
    case 'input_required':
      return live ? null : `${paint('yellow', '?')} ${short(event.question)}`
    case 'rate_limited':
      return warning(`rate limited${until(event)}`)
    case 'rate_limit_error':
      return warning(`rate limited: ${event.message}`)
    case 'retry': {
      const of = event.maxAttempts > 0 ? `/${event.maxAttempts}` : ''
      return warning(`retry ${event.attempt}${of} in ${formatDuration(event.delayMs)}: ${event.reason}`)
    }
    case 'attempt_withdrawn': {
      const calls = event.toolCallIds.length
      const parts = [event.text.trim() === '' ? '' : 'the text above', calls === 0 ? '' : plural(calls, 'tool call')]
      const what = parts.filter((part) => part !== '').join(' and ')
      return what === '' ? null : warning(`withdrawn: ${what}, because the attempt failed`)
    }
    case 'context_limit_warning':
      return warning(`context ${Math.round(event.pctUsed)}% full`)
    case 'context_compacted':
      return warning(`context compacted, ${formatCount(event.tokensSaved)} tokens saved`)
    case 'stream_fallback':
      return debug ? warning(`no streaming of ${event.capability}: ${event.reason}`) : null
    case 'paused':
    case 'resumed':
    case 'interrupted':
      return warning(event.type)
    case 'image_output':
      return `▣ image ${event.filePath ?? event.mimeType}`
    case 'skill_invoked':
      return `◆ skill ${event.skillName}`
    case 'plugin_error':
      return warning(`plugin ${event.pluginName}: ${event.error}`)
    case 'auth_error':
      return event.guidance === '' ? null : warning(event.guidance)
    case 'error':
      // The last line of the run says what ended it.
      return event.recoverable ? `${paint('red', '✗')} ${oneLine(event.message)}` : null
    case 'crash':
      return crashNote(event.stderr)
    case 'debug':
      if (event.level === 'warn') return warning(event.message)
      return debug ? paint('dim', `  ${oneLine(event.message)}`) : null
    case 'log':
      return debug ? paint('dim', `  ${event.source}: ${short(event.line)}`) : null
    default:
      return null
  }
}

/** What was denied, where the request is known, and why. */
export function denialNote(
  { reason }: EventOfType<'approval_denied'>,
  request: EventOfType<'approval_request'> | undefined,
  { paint, width }: NoteOptions,
): string {
  const tool = paint('bold', request?.toolName ?? request?.action ?? '')
  const parts = [`${paint('yellow', '✗ denied')} ${tool}`, shorten(request?.detail ?? '', width)]
  return [...parts, paint('dim', shorten(reason ?? '', width))].filter((part) => part !== '').join('  ')
}

function crashNote(stderr: string): string | null {
  const tail = new OutputTail()
  tail.push(stderr)
  return tail.lines.length === 0 ? null : tail.lines.map((line) => `    ${printable(line)}`).join('\n')
}

function shorten(text: string, width: number): string {
  return truncate(oneLine(text), Math.max(width - 24, 20))
}

function until({ resetAt, retryAfterMs }: EventOfType<'rate_limited'>): string {
  if (resetAt !== undefined) return ` until ${new Date(resetAt).toLocaleString()}`
  return retryAfterMs === undefined ? '' : ` for ${formatDuration(retryAfterMs)}`
}
