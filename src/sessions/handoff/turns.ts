import type { SessionMessage, SessionToolCall } from '../../contract/sessions.ts'
import { textOf } from '../../core/json.ts'
import { shorten } from '../token-estimate.ts'

/** What the user said, and everything until their next message. */
export type Turn = readonly SessionMessage[]

export function turnsOf(messages: readonly SessionMessage[]): Turn[] {
  const turns: SessionMessage[][] = []
  for (const message of messages) {
    const current = turns.at(-1)
    if (current && (message.role !== 'user' || message.content === '')) current.push(message)
    else turns.push([message])
  }
  return turns
}

/** The most characters that are shown of one thing. */
export interface TurnLimits {
  message: number
  toolInput: number
  toolOutput: number
}

export interface RenderedTurn {
  text: string
  /** How many inputs, outputs and messages had to be cut. */
  shortened: number
}

export function renderTurn(turn: Turn, limits: TurnLimits): RenderedTurn {
  let shortened = 0
  const cut = (text: string, limit: number): string => {
    if (text.length > limit) shortened += 1
    return shorten(text, limit)
  }
  const call = ({ toolName, input, output }: SessionToolCall): string => {
    const asked = cut(typeof input === 'string' ? input : (JSON.stringify(input) ?? ''), limits.toolInput)
    const answer = output === undefined ? '(no result)' : cut(textOf(output).trimEnd(), limits.toolOutput)
    return `[tool ${toolName}] ${asked}\n[result] ${answer}`
  }
  const parts = turn.flatMap(({ role, content, toolCalls = [], toolResult }) => [
    ...(content.trim() === '' ? [] : [`${NAMES[role]}: ${cut(content.trim(), limits.message)}`]),
    ...toolCalls.map(call),
    ...(toolResult ? [`[result] ${cut(textOf(toolResult.output).trimEnd(), limits.toolOutput)}`] : []),
  ])
  return { text: parts.join('\n\n'), shortened }
}

const NAMES = { user: 'User', assistant: 'Agent', system: 'System', tool: 'Tool' } as const
