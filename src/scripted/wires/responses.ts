import { randomUUID } from 'node:crypto'
import type { Answer } from '../answer.ts'
import type { FailureKind } from '../types.ts'
import { openaiError, openaiFailures } from './openai-errors.ts'
import { itemsOf } from './responses-items.ts'
import { readResponses } from './responses-read.ts'
import type { Failure, Frame, Wire } from './wire.ts'

const usageOf = ({ usage }: Answer) => {
  const input_tokens = usage.input + usage.cacheRead + usage.cacheWrite
  const output_tokens = usage.output + usage.reasoning
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite },
    output_tokens,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: input_tokens + output_tokens,
  }
}

const responseOf = (model: string, rest: object) => ({
  id: `resp_${randomUUID().replaceAll('-', '')}`,
  object: 'response',
  created_at: Math.floor(Date.now() / 1000),
  model,
  status: 'in_progress',
  error: null,
  incomplete_details: null,
  output: [] as object[],
  usage: null,
  ...rest,
})

/** A reply that stops early is `incomplete`, with the reason. */
const outcome = ({ stop }: Answer) => {
  if (stop === 'refusal') return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }
  if (stop === 'max_tokens') return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
  return { status: 'completed' }
}

function* numbered(events: Iterable<{ type: string; rest: object; chars?: number }>): Iterable<Frame> {
  let sequence_number = 0
  for (const { type, rest, chars } of events) {
    yield { event: type, data: { type, sequence_number, ...rest }, chars }
    sequence_number += 1
  }
}

function* eventsOf(answer: Answer, model: string) {
  const response = responseOf(model, {})
  const items = itemsOf(answer)
  yield { type: 'response.created', rest: { response } }
  yield { type: 'response.in_progress', rest: { response } }
  for (const [output_index, item] of items.entries()) {
    yield { type: 'response.output_item.added', rest: { output_index, item: item.opened } }
    for (const { type, rest, chars } of item.events) yield { type, rest: { output_index, ...rest }, chars }
    yield { type: 'response.output_item.done', rest: { output_index, item: item.done } }
  }
  const end = outcome(answer)
  const output = items.map((item) => item.done)
  yield { type: `response.${end.status}`, rest: { response: { ...response, ...end, output, usage: usageOf(answer) } } }
}

const completeResponses = (answer: Answer, model: string): unknown =>
  responseOf(model, { ...outcome(answer), output: itemsOf(answer).map((item) => item.done), usage: usageOf(answer) })

const inStream = (model: string, code: string, message: string): Frame[] => {
  const response = responseOf(model, {})
  const failed = { ...response, status: 'failed', error: { code, message } }
  return [
    ...numbered([
      { type: 'response.created', rest: { response } },
      { type: 'response.failed', rest: { response: failed } },
    ]),
  ]
}

const failures: Record<FailureKind, (model: string) => Failure> = {
  ...openaiFailures,
  // The wording of a ChatGPT plan; codex distinguishes it from a rate limit by the type.
  quota: () =>
    openaiError(429, 'usage_limit_reached', null, 'The usage limit has been reached', {
      plan_type: 'plus',
      resets_at: Math.floor(Date.now() / 1000) + 3600,
      resets_in_seconds: 3600,
    }),
  credit: openaiFailures.quota,
  context: (model) => ({
    ...openaiFailures['context-400'](model),
    frames: inStream(
      model,
      'context_length_exceeded',
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
    ),
  }),
}

/** OpenAI Responses: `POST /v1/responses`. */
export const responses: Wire = {
  read: readResponses,
  stream: (answer, model) => numbered(eventsOf(answer, model)),
  complete: completeResponses,
  failure: (kind, model) => failures[kind](model),
}
