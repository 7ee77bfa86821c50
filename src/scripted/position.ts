import type { Conversation, Entry } from './conversation.ts'

/** The state of a conversation. Read from the request alone, so retries, resumes and parallel sessions agree. */
export type Position = {
  /** User turns so far, from 1. Messages in a row count as one turn: CLIs split one prompt over several messages. */
  turn: number
  /** Tool rounds since the last user message, without those that only searched for a tool or waited for an agent. */
  step: number
  searches: number
  /** The tools called in the last round. */
  lastCalls: string[]
  first: string
  last: string
}

export const isSearchTool = (name: string): boolean => /^(tool_?search(_tool|_call)?|search_tool)$/i.test(name)

const countTurns = (entries: Entry[]): number =>
  entries.filter((entry, index) => entry.role === 'user' && entries[index - 1]?.role !== 'user').length

/** The tool calls of each round: calls up to their results. A call after a result opens the next round. */
const rounds = (entries: Entry[]): string[][] => {
  const found: string[][] = []
  let open = false
  for (const entry of entries) {
    if (entry.role === 'call') {
      if (!open) found.push([])
      found.at(-1)?.push(entry.name)
      open = true
    } else open = false
  }
  return found
}

export const locate = ({ entries }: Conversation): Position => {
  const users = entries.flatMap((entry) => (entry.role === 'user' ? [entry.text] : []))
  const lastUser = entries.findLastIndex((entry) => entry.role === 'user')
  const all = rounds(entries.slice(lastUser + 1))
  const searches = all.filter((names) => names.every(isSearchTool)).length
  const waits = all.filter((names) => names.every((name) => name === 'wait_agent')).length
  return {
    turn: Math.max(countTurns(entries), 1),
    step: all.length - searches - waits,
    searches,
    lastCalls: all.at(-1) ?? [],
    first: users[0] ?? '',
    last: users.at(-1) ?? '',
  }
}
