import type { SessionToolCall } from '../../contract/sessions.ts'
import { asRecord, asRecords, textOf } from '../../core/json.ts'
import { oneOf } from './one-of.ts'
import type { Turn } from './turns.ts'

/** Words by which a choice, a finding or a rule is distinguished from a report of what was done. */
const DECISION =
  /\b(decided|decision|chose|chosen|opted|settled on|agreed|going with|go with|instead of|rather than|root cause|turns? out|must not|won't|will not|keeping|constraint|trade-?off)\b/i

const LONGEST = 300
const ASKING_TOOL = /question|ask_?user|^ask$/i
const QUESTION = ['question', 'prompt', 'text', 'message'] as const

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

function sentences(text: string): string[] {
  return text
    .replace(/```[\s\S]*?```/g, '')
    .split(/(?<=[.!?。])\s+|\n+/)
    .map((sentence) => oneLine(sentence.replace(/^[-*#>\s]+/, '')))
    .filter((sentence) => sentence !== '' && sentence.length <= LONGEST)
}

function answeredQuestion({ toolName, input, output }: SessionToolCall): string[] {
  if (!ASKING_TOOL.test(toolName) || output === undefined) return []
  const record = asRecord(input) ?? {}
  const [first] = asRecords(record.questions)
  const question = oneOf(record, QUESTION) ?? (first && oneOf(first, QUESTION)) ?? toolName
  return [`Asked "${oneLine(question)}", the user answered: ${oneLine(textOf(output)).slice(0, LONGEST)}`]
}

/** What was settled in these turns: answers of the user, and sentences of the agent that report a choice. */
export function decisionsIn(turns: readonly Turn[]): string[] {
  const found = turns.flatMap((turn) =>
    turn.flatMap(({ role, content, toolCalls = [] }) => [
      ...(role === 'assistant' ? sentences(content).filter((sentence) => DECISION.test(sentence)) : []),
      ...toolCalls.flatMap(answeredQuestion),
    ]),
  )
  return [...new Set(found)]
}

/** What the user said in these turns, each on one line. */
export function requestsIn(turns: readonly Turn[]): string[] {
  return turns.flatMap(([first]) => {
    const text = first?.role === 'user' ? oneLine(first.content) : ''
    return text === '' ? [] : [text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text]
  })
}
