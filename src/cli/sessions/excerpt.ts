import type { Session } from '../../contract/sessions.ts'
import { textOf } from '../../core/json.ts'
import { oneLine } from '../text.ts'

const BEFORE = 40
const AROUND = 120

/** The first place in a conversation that has one of these words, with its context, on one line. */
export function excerptOf({ messages }: Session, words: readonly string[]): string | null {
  for (const { role, content, toolCalls = [] } of messages) {
    const calls = toolCalls.map(
      ({ toolName, input, output }) => [toolName, `${textOf(input)} ${textOf(output)}`] as const,
    )
    for (const [who, text] of [[role, content] as const, ...calls]) {
      const at = firstPlace(text.toLowerCase(), words)
      if (at < 0) continue
      const start = Math.max(0, at - BEFORE)
      const cut = `${start > 0 ? '…' : ''}${text.slice(start, start + AROUND)}${start + AROUND < text.length ? '…' : ''}`
      return `${who}: ${oneLine(cut)}`
    }
  }
  return null
}

function firstPlace(text: string, words: readonly string[]): number {
  const places = words.map((word) => text.indexOf(word.toLowerCase())).filter((at) => at >= 0)
  return places.length === 0 ? -1 : Math.min(...places)
}
