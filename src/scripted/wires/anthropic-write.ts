import { randomUUID } from 'node:crypto'
import type { Answer } from '../answer.ts'
import type { ToolCall } from '../conversation.ts'
import { chunksOf, type Frame } from './wire.ts'

const stopReasons = { end: 'end_turn', tools: 'tool_use', refusal: 'refusal', max_tokens: 'max_tokens' } as const

const inputUsage = ({ usage }: Answer) => ({
  input_tokens: usage.input,
  cache_creation_input_tokens: usage.cacheWrite,
  cache_read_input_tokens: usage.cacheRead,
})

const outputTokens = ({ usage }: Answer): number => usage.output + usage.reasoning

const toolUse = (call: ToolCall, input: unknown) => ({
  type: 'tool_use',
  id: call.id.replace('call_', 'toolu_'),
  name: call.name,
  input,
})

const signature = Buffer.from('scripted signature').toString('base64')

const message = (answer: Answer, model: string, content: unknown[]) => ({
  id: `msg_${randomUUID().replaceAll('-', '')}`,
  type: 'message',
  role: 'assistant',
  model,
  content,
  stop_reason: null as string | null,
  stop_sequence: null,
  usage: { ...inputUsage(answer), output_tokens: 1, service_tier: 'standard' },
})

type Block = { start: object; deltas: { delta: object; chars: number }[] }

const deltas = (text: string, size: number, delta: (piece: string) => object): Block['deltas'] =>
  chunksOf(text, size).map((piece) => ({ delta: delta(piece), chars: piece.length }))

const blocksOf = (answer: Answer): Block[] => [
  ...(answer.thinking === ''
    ? []
    : [
        {
          start: { type: 'thinking', thinking: '', signature: '' },
          deltas: [
            ...deltas(answer.thinking, answer.chunkSize, (thinking) => ({ type: 'thinking_delta', thinking })),
            { delta: { type: 'signature_delta', signature }, chars: 0 },
          ],
        },
      ]),
  ...(answer.text === ''
    ? []
    : [
        {
          start: { type: 'text', text: '' },
          deltas: deltas(answer.text, answer.chunkSize, (text) => ({ type: 'text_delta', text })),
        },
      ]),
  ...answer.calls.map((call) => ({
    start: toolUse(call, {}),
    deltas: deltas(JSON.stringify(call.input), answer.chunkSize, (partial_json) => ({
      type: 'input_json_delta',
      partial_json,
    })),
  })),
]

export function* streamAnthropic(answer: Answer, model: string): Iterable<Frame> {
  const frame = (type: string, rest: object, chars?: number): Frame => ({ event: type, data: { type, ...rest }, chars })
  yield frame('message_start', { message: message(answer, model, []) })
  yield frame('ping', {})
  for (const [index, block] of blocksOf(answer).entries()) {
    yield frame('content_block_start', { index, content_block: block.start })
    for (const { delta, chars } of block.deltas) yield frame('content_block_delta', { index, delta }, chars)
    yield frame('content_block_stop', { index })
  }
  yield frame('message_delta', {
    delta: { stop_reason: stopReasons[answer.stop], stop_sequence: null },
    usage: { ...inputUsage(answer), output_tokens: outputTokens(answer) },
  })
  yield frame('message_stop', {})
}

export const completeAnthropic = (answer: Answer, model: string): unknown => {
  const content = [
    ...(answer.thinking === '' ? [] : [{ type: 'thinking', thinking: answer.thinking, signature }]),
    ...(answer.text === '' ? [] : [{ type: 'text', text: answer.text }]),
    ...answer.calls.map((call) => toolUse(call, call.input)),
  ]
  const whole = message(answer, model, content)
  return {
    ...whole,
    stop_reason: stopReasons[answer.stop],
    usage: { ...whole.usage, output_tokens: outputTokens(answer) },
  }
}
