import { randomUUID } from 'node:crypto'
import type { Answer } from '../answer.ts'
import type { ToolCall } from '../conversation.ts'
import { readChat } from './chat-read.ts'
import { openaiFailures } from './openai-errors.ts'
import { chunksOf, type Frame, type Wire } from './wire.ts'

const finishReasons = { end: 'stop', tools: 'tool_calls', refusal: 'content_filter', max_tokens: 'length' } as const

const usageOf = ({ usage }: Answer) => {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite
  const completion = usage.output + usage.reasoning
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  }
}

const envelope = (object: string, model: string) => ({
  id: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
  object,
  created: Math.floor(Date.now() / 1000),
  model,
})

const toolCall = (call: ToolCall, args: string) => ({
  id: call.id,
  type: 'function',
  function: { name: call.name, arguments: args },
})

type Delta = { delta: object; chars?: number }

function* deltasOf(answer: Answer): Iterable<Delta> {
  const { chunkSize } = answer
  yield { delta: { role: 'assistant', content: '' } }
  for (const piece of chunksOf(answer.thinking, chunkSize))
    yield { delta: { reasoning_content: piece }, chars: piece.length }
  for (const piece of chunksOf(answer.text, chunkSize)) yield { delta: { content: piece }, chars: piece.length }
  for (const [index, call] of answer.calls.entries()) {
    yield { delta: { tool_calls: [{ index, ...toolCall(call, '') }] } }
    for (const piece of chunksOf(JSON.stringify(call.input), chunkSize))
      yield { delta: { tool_calls: [{ index, function: { arguments: piece } }] }, chars: piece.length }
  }
}

function* streamChat(answer: Answer, model: string): Iterable<Frame> {
  const base = envelope('chat.completion.chunk', model)
  const chunk = (delta: object, finish_reason: string | null) => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason }],
  })
  for (const { delta, chars } of deltasOf(answer)) yield { data: chunk(delta, null), chars }
  yield { data: chunk({}, finishReasons[answer.stop]) }
  // Sent whether or not `stream_options.include_usage` asks for it: compatible servers differ, and no client minds.
  yield { data: { ...base, choices: [], usage: usageOf(answer) } }
  yield { data: '[DONE]' }
}

const completeChat = (answer: Answer, model: string): unknown => ({
  ...envelope('chat.completion', model),
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: answer.text === '' ? null : answer.text,
        ...(answer.thinking !== '' && { reasoning_content: answer.thinking }),
        ...(answer.calls.length > 0 && {
          tool_calls: answer.calls.map((call) => toolCall(call, JSON.stringify(call.input))),
        }),
      },
      finish_reason: finishReasons[answer.stop],
    },
  ],
  usage: usageOf(answer),
})

/** OpenAI Chat Completions: `POST /v1/chat/completions`. */
export const chat: Wire = {
  read: readChat,
  stream: streamChat,
  complete: completeChat,
  failure: (kind, model) => openaiFailures[kind](model),
}
