import { randomUUID } from 'node:crypto'
import type { Answer } from '../answer.ts'
import type { ToolCall } from '../conversation.ts'
import { chunksOf } from './wire.ts'

type ItemEvent = { type: string; rest: object; chars?: number }

/** An output item as it opens, the events while it grows, and as it is when done. */
export type Item = { opened: object; events: ItemEvent[]; done: object }

const newId = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '')}`

const deltas = (type: string, text: string, size: number, rest: object): ItemEvent[] =>
  chunksOf(text, size).map((delta) => ({ type: `${type}.delta`, rest: { ...rest, delta }, chars: delta.length }))

const reasoning = (text: string, size: number): Item => {
  const id = newId('rs')
  const at = { item_id: id, summary_index: 0 }
  const part = { type: 'summary_text', text }
  return {
    opened: { type: 'reasoning', id, summary: [] },
    events: [
      { type: 'response.reasoning_summary_part.added', rest: { ...at, part: { ...part, text: '' } } },
      ...deltas('response.reasoning_summary_text', text, size, at),
      { type: 'response.reasoning_summary_text.done', rest: { ...at, text } },
      { type: 'response.reasoning_summary_part.done', rest: { ...at, part } },
    ],
    done: { type: 'reasoning', id, summary: [part], encrypted_content: 'c2NyaXB0ZWQ=' },
  }
}

const message = (text: string, size: number): Item => {
  const id = newId('msg')
  const at = { item_id: id, content_index: 0 }
  const part = { type: 'output_text', text, annotations: [] }
  const base = { type: 'message', id, role: 'assistant' }
  return {
    opened: { ...base, status: 'in_progress', content: [] },
    events: [
      { type: 'response.content_part.added', rest: { ...at, part: { ...part, text: '' } } },
      ...deltas('response.output_text', text, size, at),
      { type: 'response.output_text.done', rest: { ...at, text } },
      { type: 'response.content_part.done', rest: { ...at, part } },
    ],
    done: { ...base, status: 'completed', content: [part] },
  }
}

/** Items whose payload comes whole: nothing streams between opening and end. */
const whole = (item: object): Item => ({
  opened: { ...item, status: 'in_progress' },
  events: [],
  done: { ...item, status: 'completed' },
})

const callItem = (call: ToolCall, size: number): Item => {
  const base = {
    id: newId('fc'),
    call_id: call.id,
    name: call.name,
    ...(call.namespace && { namespace: call.namespace }),
  }
  if (call.kind === 'search') {
    const { id, call_id } = base
    return whole({ type: 'tool_search_call', id, call_id, execution: 'client', arguments: call.input })
  }
  if (call.kind === 'local-shell') {
    const action = { type: 'exec', env: {}, ...(call.input as object) }
    return whole({ type: 'local_shell_call', id: base.id, call_id: base.call_id, action })
  }
  const free = call.kind === 'freeform'
  const text = typeof call.input === 'string' ? call.input : JSON.stringify(call.input)
  const [type, field, event] = free
    ? ['custom_tool_call', 'input', 'response.custom_tool_call_input']
    : ['function_call', 'arguments', 'response.function_call_arguments']
  const at = { item_id: base.id }
  return {
    opened: { type, ...base, [field]: '', status: 'in_progress' },
    events: [...deltas(event, text, size, at), { type: `${event}.done`, rest: { ...at, [field]: text } }],
    done: { type, ...base, [field]: text, status: 'completed' },
  }
}

export const itemsOf = ({ thinking, text, calls, chunkSize }: Answer): Item[] => [
  ...(thinking === '' ? [] : [reasoning(thinking, chunkSize)]),
  ...(text === '' ? [] : [message(text, chunkSize)]),
  ...calls.map((call) => callItem(call, chunkSize)),
]
