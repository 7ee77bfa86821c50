import type { DialogueCommand } from '../../contract/dialogue.ts'
import type { AgentEventDraftOf } from '../../contract/event-drafts.ts'
import { asRecord, asRecords, asString, type JsonRecord, parseRecord } from '../../core/json.ts'
import type { PendingRequest, RequestId } from './state.ts'

interface Question {
  event: AgentEventDraftOf<'input_required'>
  request: PendingRequest
}

/** Empty: the request asks nothing. `item` is the call that it is about. */
export function readQuestions(
  id: RequestId,
  method: string,
  params: JsonRecord,
  item: JsonRecord | undefined,
): Question[] {
  switch (method) {
    case 'item/tool/requestUserInput':
      return agentQuestions(id, params)
    case 'mcpServer/elicitation/request':
      return [serverForm(id, params, item)]
    default:
      return []
  }
}

function optionsOf(question: JsonRecord): string[] | undefined {
  const labels = asRecords(question.options).flatMap((option) => asString(option.label) ?? [])
  return labels.length > 0 ? labels : undefined
}

/** Several questions come in one request; each gets an interaction of its own. */
function agentQuestions(id: RequestId, params: JsonRecord): Question[] {
  const itemId = asString(params.itemId)
  const asked = asRecords(params.questions)
  const answers = new Map<string, string[]>()
  return asked.map((question, index) => {
    const questionId = asString(question.id) ?? String(index)
    const interactionId = asked.length === 1 ? (itemId ?? questionId) : `${itemId}:${questionId}`
    return {
      event: {
        type: 'input_required',
        interactionId,
        question: asString(question.question) ?? '',
        context: asString(question.header),
        options: optionsOf(question),
        source: 'agent',
      },
      request: { id, interactionId, kind: 'question', params, itemId, questionId, answers },
    }
  })
}

function fieldsOf(params: JsonRecord): JsonRecord {
  return asRecord(asRecord(params.requestedSchema)?.properties) ?? {}
}

/** An MCP server asks the user to fill a form, or to open a page. */
function serverForm(id: RequestId, params: JsonRecord, item: JsonRecord | undefined): Question {
  const interactionId = asString(item?.id) ?? `elicitation-${id}`
  const question = asString(params.message) ?? ''
  const context = asString(params.url) ?? JSON.stringify(fieldsOf(params))
  return {
    event: { type: 'input_required', interactionId, question, context, source: 'tool' },
    request: { id, interactionId, kind: 'form', params },
  }
}

type QuestionCommand = Extract<DialogueCommand, { type: 'answer' | 'deny' }>

/** The reply goes out once every question of the request has its answer: undefined until then. */
export function questionResult(request: PendingRequest, command: QuestionCommand): JsonRecord | undefined {
  const { kind, params, questionId = '', answers = new Map<string, string[]>() } = request
  if (kind === 'form') return formResult(params, command)
  answers.set(questionId, command.type === 'answer' ? [command.text] : [])
  if (answers.size < asRecords(params.questions).length) return undefined
  return { answers: Object.fromEntries([...answers].map(([name, texts]) => [name, { answers: texts }])) }
}

/** Words that are no JSON fill the first field. */
function formResult(params: JsonRecord, command: QuestionCommand): JsonRecord {
  if (command.type === 'deny') return { action: 'decline', content: null, _meta: null }
  const [first] = Object.keys(fieldsOf(params))
  const content = parseRecord(command.text) ?? (first === undefined ? {} : { [first]: command.text })
  return { action: 'accept', content, _meta: null }
}
