import type { Conversation } from './conversation.ts'
import { asObject } from './json.ts'
import type { Position } from './position.ts'
import { subagentMark } from './scenarios.ts'
import { fillSchema } from './schema.ts'
import type { Say } from './types.ts'

const done = 'Subagent done.'

/** What a subagent says: one text, or the tool by which gemini's subagents must hand in their answer. */
const lastWord = ({ tools }: Conversation): Say => {
  const finish = tools.find((tool) => tool.name === 'complete_task')
  if (!finish) return { text: done }
  const hint = (_: string, schema: { type?: unknown }) => (schema.type === 'string' ? done : undefined)
  return { tools: [{ name: finish.name, input: asObject(fillSchema(finish.schema, { hint })) }] }
}

/** A codex subagent runs on its own: a model that wants its answer waits for it. */
const wait: Say = { tools: [{ name: 'wait_agent', input: { timeout_ms: 10_000 } }] }

/** The replies around subagents that no scenario spells out; undefined when the scenario has the word. */
export const subagentReply = (conversation: Conversation, { last, lastCalls }: Position): Say | undefined => {
  if (last.includes(subagentMark)) return lastWord(conversation)
  const canWait = conversation.tools.some((tool) => tool.name === 'wait_agent')
  return canWait && lastCalls.includes('spawn_agent') ? wait : undefined
}
