import { type Answer, defaultUsage } from '../answer.ts'
import { geminiFailures } from './gemini-errors.ts'
import { readGemini } from './gemini-read.ts'
import { chunksOf, type Frame, type Wire } from './wire.ts'

const finishReasons = { end: 'STOP', tools: 'STOP', refusal: 'SAFETY', max_tokens: 'MAX_TOKENS' } as const

const usageOf = ({ usage }: Answer) => {
  const promptTokenCount = usage.input + usage.cacheRead + usage.cacheWrite
  return {
    promptTokenCount,
    cachedContentTokenCount: usage.cacheRead,
    candidatesTokenCount: usage.output,
    thoughtsTokenCount: usage.reasoning,
    totalTokenCount: promptTokenCount + usage.output + usage.reasoning,
  }
}

const candidate = (parts: object[], finishReason?: string) => ({
  content: { role: 'model', parts },
  ...(finishReason && { finishReason }),
  index: 0,
})

const callParts = (answer: Answer): object[] =>
  answer.calls.map((call, index) => ({
    functionCall: { id: call.id, name: call.name, args: call.input },
    // Gemini 3 wants the signature of the first call of a step back; its absence is an error with the real API.
    ...(index === 0 && { thoughtSignature: Buffer.from('scripted signature').toString('base64') }),
  }))

function* streamGemini(answer: Answer, model: string): Iterable<Frame> {
  const base = { modelVersion: model, responseId: 'scripted' }
  // A thought comes whole, as the summary that it is.
  if (answer.thinking !== '') {
    const thought = candidate([{ text: answer.thinking, thought: true }])
    yield { data: { ...base, candidates: [thought] }, chars: answer.thinking.length }
  }
  for (const text of chunksOf(answer.text, answer.chunkSize))
    yield { data: { ...base, candidates: [candidate([{ text }])] }, chars: text.length }
  const last = answer.calls.length > 0 ? callParts(answer) : [{ text: '' }]
  yield { data: { ...base, candidates: [candidate(last, finishReasons[answer.stop])], usageMetadata: usageOf(answer) } }
}

const completeGemini = (answer: Answer, model: string): unknown => ({
  candidates: [
    candidate(
      [
        ...(answer.thinking === '' ? [] : [{ text: answer.thinking, thought: true }]),
        ...(answer.text === '' ? [] : [{ text: answer.text }]),
        ...callParts(answer),
      ],
      finishReasons[answer.stop],
    ),
  ],
  usageMetadata: usageOf(answer),
  modelVersion: model,
  responseId: 'scripted',
})

/** Gemini: `POST /v1beta/models/<model>:streamGenerateContent` and `:generateContent`. */
export const gemini: Wire = {
  read: readGemini,
  stream: streamGemini,
  complete: completeGemini,
  failure: (kind, model) => geminiFailures[kind](model),
  countTokens: () => ({ totalTokens: defaultUsage.input + defaultUsage.cacheRead + defaultUsage.cacheWrite }),
}
