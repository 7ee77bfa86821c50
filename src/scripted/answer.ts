import type { Conversation, ToolCall } from './conversation.ts'
import { asObject } from './json.ts'
import type { Position } from './position.ts'
import { fillSchema, type JsonSchema } from './schema.ts'
import { resolveTool } from './tools/resolve.ts'
import { textForm } from './tools/text-forms.ts'
import type { Reply, Say, Scenario, ScriptedUsage, ToolIntent } from './types.ts'

/** The tokens that a reply reports unless its scenario says otherwise. */
export const defaultUsage: Readonly<ScriptedUsage> = {
  input: 120,
  cacheRead: 1000,
  cacheWrite: 30,
  output: 25,
  reasoning: 20,
}

/** A reply with its tools resolved and its templates filled: all a wire needs to write it. */
export type Answer = {
  thinking: string
  text: string
  calls: ToolCall[]
  /** The intents that the text itself carries out. */
  textCalls: string[]
  stop: 'end' | 'tools' | 'refusal' | 'max_tokens'
  usage: ScriptedUsage
  chunkSize: number
  chunkDelayMs: number
  cutAfterChars?: number
  cutsCleanly?: boolean
}

/** What to serve first, and the reply after that, at a position of the scenario. */
const repliesAt = (scenario: Scenario, { turn, step }: Position): { first: Reply[]; reply: Reply } => {
  const replies = scenario.turns[Math.min(turn, scenario.turns.length) - 1] ?? []
  const steps: { first: Reply[]; reply: Reply }[] = []
  let waiting: Reply[] = []
  for (const reply of replies) {
    if (reply.times !== undefined) waiting.push(reply)
    else {
      steps.push({ first: waiting, reply })
      waiting = []
    }
  }
  return (
    steps[Math.min(step, steps.length - 1)] ?? { first: waiting, reply: { text: '[scripted] the scenario is empty' } }
  )
}

/** The reply for the n-th time (from 0) a request at this position arrives. */
export const chooseReply = (scenario: Scenario, position: Position, attempt: number): Reply => {
  const { first, reply } = repliesAt(scenario, position)
  let left = attempt
  for (const earlier of first) {
    left -= earlier.times ?? 0
    if (left < 0) return earlier
  }
  return reply
}

const fillTemplate = (position: Position) => {
  const values: Record<string, string> = {
    turn: String(position.turn),
    step: String(position.step),
    first: position.first,
    last: position.last,
  }
  return (text: string): string => text.replaceAll(/\{(turn|step|first|last)\}/g, (_, key: string) => values[key] ?? '')
}

const fillIntent = (intent: ToolIntent, fill: (text: string) => string): ToolIntent =>
  Object.fromEntries(
    Object.entries(intent).map(([key, value]) => [key, typeof value === 'string' ? fill(value) : value]),
  ) as ToolIntent

/** Where the prompt gives the schema of the reply as text, it is alone on the line below. */
const schemaInText = (text: string): JsonSchema | undefined => {
  const [, json] = /JSON Schema\b.*\n(\{.*\})$/im.exec(text) ?? []
  try {
    return json === undefined ? undefined : (JSON.parse(json) as JsonSchema)
  } catch {
    return undefined
  }
}

const STRUCTURED_TOOLS = ['StructuredOutput', 'structured_output']

/** Claude and Qwen ask for structured output by a tool; the others by a schema of the reply. */
const jsonReply = (say: Say, conversation: Conversation, position: Position): Say => {
  const tool = conversation.tools.find((declared) => STRUCTURED_TOOLS.includes(declared.name))
  if (tool && position.step > 0) return { ...say, text: 'The structured output is given.' }
  if (tool) {
    const input = asObject(fillSchema(tool.schema, { optional: true }))
    return { ...say, text: undefined, tools: [{ name: tool.name, input }] }
  }
  const outputSchema = conversation.outputSchema ?? schemaInText(conversation.system) ?? schemaInText(position.last)
  return outputSchema ? { ...say, text: JSON.stringify(fillSchema(outputSchema, { optional: true })) } : say
}

const stopOf = (say: Say, calls: ToolCall[]): Answer['stop'] => say.stop ?? (calls.length > 0 ? 'tools' : 'end')

export const prepareAnswer = (reply: Say, conversation: Conversation, position: Position): Answer => {
  const say = reply.json ? jsonReply(reply, conversation, position) : reply
  const fill = fillTemplate(position)
  const resolved = (say.tools ?? []).map((given) => {
    const intent = fillIntent(given, fill)
    return {
      intent,
      call: resolveTool(intent, conversation, position.searches),
      text: textForm(intent, conversation),
    }
  })
  const calls = resolved.flatMap(({ call }) => call ?? [])
  const inText = resolved
    .filter(({ call }) => !call)
    .map(({ intent, text }) => text ?? `[scripted] no tool for intent ${intent.intent ?? intent.name}`)
  const usage = { ...defaultUsage, ...say.usage }
  return {
    thinking: fill(say.thinking ?? ''),
    text: [...(say.text ? [fill(say.text)] : []), ...inText].join('\n'),
    calls,
    textCalls: resolved.flatMap(({ call, text, intent }) => (!call && text ? (intent.intent ?? []) : [])),
    stop: stopOf(say, calls),
    usage: { ...usage, reasoning: say.thinking || say.usage?.reasoning !== undefined ? usage.reasoning : 0 },
    chunkSize: say.chunkSize ?? 12,
    chunkDelayMs: say.chunkDelayMs ?? 0,
    cutAfterChars: say.cutAfterChars,
    cutsCleanly: say.cutsCleanly,
  }
}

export const HELPER_TEXT = 'Scripted session'

/** Side calls of the agent: a short text, JSON that fits where they ask for a schema, or a call of their only tool. */
export const helperReply = ({ tools: [tool], outputSchema }: Conversation): Say => {
  if (tool)
    return { tools: [{ name: tool.name, input: asObject(fillSchema(tool.schema, { hint: () => HELPER_TEXT })) }] }
  return outputSchema ? { json: true } : { text: HELPER_TEXT }
}
