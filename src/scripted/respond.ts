import type { ServerResponse } from 'node:http'
import { chooseReply, helperReply, prepareAnswer } from './answer.ts'
import type { Conversation } from './conversation.ts'
import { isHelperCall } from './helper-calls.ts'
import { locate, type Position } from './position.ts'
import { sendEvents, sendHalf, sendJson } from './send.ts'
import { subagentReply } from './subagents.ts'
import type { Fail, Protocol, RecordedRequest, Reply, Say, Scenario } from './types.ts'
import { anthropic } from './wires/anthropic.ts'
import { chat } from './wires/chat.ts'
import { gemini } from './wires/gemini.ts'
import { responses } from './wires/responses.ts'
import type { Wire } from './wires/wire.ts'

export const wires: Record<Protocol, Wire> = { anthropic, 'openai-responses': responses, 'openai-chat': chat, gemini }

/** How often a request at a place of a conversation has come: only failures with `times` ask for it. */
export type Attempts = Map<string, number>

const attemptOf = (attempts: Attempts, scenario: Scenario, conversation: Conversation, position: Position): number => {
  const users = conversation.entries.filter((entry) => entry.role === 'user')
  const key = JSON.stringify([scenario.name, conversation.protocol, conversation.session, position.step, users])
  const attempt = attempts.get(key) ?? 0
  attempts.set(key, attempt + 1)
  return attempt
}

const sendFailure = async (response: ServerResponse, wire: Wire, fail: Fail, conversation: Conversation) => {
  const { status, headers, body, frames } = wire.failure(fail.fail, conversation.model)
  if (frames && conversation.stream) return sendEvents(response, frames, { chunkDelayMs: 0 })
  const retry = fail.retryAfterSeconds === undefined ? {} : { 'retry-after': String(fail.retryAfterSeconds) }
  sendJson(response, status, body, { ...headers, ...retry })
}

const sendAnswer = async (
  response: ServerResponse,
  wire: Wire,
  say: Say,
  place: [Conversation, Position],
  record: RecordedRequest,
) => {
  const [conversation, position] = place
  const answer = prepareAnswer(say, conversation, position)
  record.calledTools = [...answer.calls.map((call) => call.name), ...answer.textCalls]
  record.usage = answer.usage
  record.cut = answer.cutAfterChars !== undefined
  if (conversation.stream) return sendEvents(response, wire.stream(answer, conversation.model), answer)
  const body = wire.complete(answer, conversation.model)
  return answer.cutAfterChars === undefined ? sendJson(response, 200, body) : sendHalf(response, body)
}

/** Plays the scenario's reply to a model request. `recorded` is called once its place in the script is known. */
export const respond = async (
  response: ServerResponse,
  record: RecordedRequest & { protocol: Protocol },
  scenario: Scenario,
  { path, attempts, recorded }: { path: string; attempts: Attempts; recorded: () => void },
): Promise<void> => {
  const wire = wires[record.protocol]
  const conversation = wire.read(record.body, path)
  const position = locate(conversation)
  record.helper = isHelperCall(conversation)
  record.turn = position.turn
  record.step = position.step
  recorded()
  const reply: Reply = record.helper
    ? helperReply(conversation)
    : (subagentReply(conversation, position) ??
      chooseReply(scenario, position, attemptOf(attempts, scenario, conversation, position)))
  if ('fail' in reply) await sendFailure(response, wire, reply, conversation)
  else await sendAnswer(response, wire, reply, [conversation, position], record)
}
