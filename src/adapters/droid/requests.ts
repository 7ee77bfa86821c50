import type { Effect } from '../../contract/dialogue.ts'
import type { RiskLevel } from '../../contract/events.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { asArray, asNumber, asRecord, asRecords, asString, type JsonRecord, textOf } from '../../core/json.ts'
import { decide } from '../kit/commands.ts'
import { jointAccess, toolAccess } from '../kit/tool-access.ts'
import { reply } from './rpc.ts'
import type { DialogueState } from './state.ts'
import { TOOLS } from './tools.ts'

const RISKS: readonly RiskLevel[] = ['low', 'medium', 'high']

/** What the user should see before he decides. */
function detailOf({ details, toolUse }: JsonRecord): string {
  const { fullCommand, filePath, target, plan, reason } = asRecord(details) ?? {}
  const reported = [fullCommand, filePath, target, plan, reason].map(asString).find((text) => text !== undefined)
  return reported ?? textOf(asRecord(toolUse)?.input)
}

/** Several calls may wait in one request; they are allowed or refused together. */
export function requestPermission(state: DialogueState, id: string, params: JsonRecord): Effect[] {
  const uses = asRecords(params.toolUses)
  const first = asRecord(uses[0]?.toolUse) ?? {}
  const toolName = asString(first.name)
  for (const { toolUse } of uses) state.asked.add(asString(asRecord(toolUse)?.id) ?? '')
  if (state.options.approvalMode === 'yolo') return [reply(id, { selectedOption: 'proceed_once' })]
  state.pending.set(id, { questions: [], answers: new Map() })
  const calls = uses.map(({ toolUse }) => asRecord(toolUse) ?? {})
  const accesses = calls.map(({ name, input }) => toolAccess(TOOLS, asString(name) ?? '', input))
  const impact = uses.map(({ details }) => asRecord(details)?.impactLevel)
  return [
    {
      emit: {
        type: 'approval_request',
        interactionId: id,
        action: toolName ?? textOf(uses[0]?.confirmationType),
        detail: uses.map(detailOf).join('\n'),
        toolName,
        toolCallId: asString(first.id),
        riskLevel: RISKS.findLast((risk) => impact.includes(risk)) ?? 'medium',
        input: calls.length === 1 ? first.input : calls.map(({ input }) => input),
        ...jointAccess(accesses),
      },
    },
  ]
}

/** Several questions come in one request; each gets an interaction of its own. */
export function askUser(state: DialogueState, id: string, params: JsonRecord): Effect[] {
  const asked = asRecords(params.questions)
  const questions = asked.map(({ index, question }, place) => ({
    index: asNumber(index) ?? place + 1,
    question: textOf(question),
  }))
  state.pending.set(id, { questions, answers: new Map() })
  return asked.map((question, place) => ({
    emit: {
      type: 'input_required',
      interactionId: asked.length === 1 ? id : `${id}#${place}`,
      question: textOf(question.question),
      options: asArray(question.options).map(textOf),
      source: 'agent',
    },
  }))
}

function approve(state: DialogueState, interactionId: string): Effect[] | null {
  if (!state.pending.delete(interactionId)) return null
  return [reply(interactionId, { selectedOption: 'proceed_once' })]
}

function deny(state: DialogueState, interactionId: string, comment?: string): Effect[] | null {
  const id = interactionId.split('#')[0] ?? ''
  const pending = state.pending.get(id)
  if (!pending) return null
  state.pending.delete(id)
  if (pending.questions.length > 0) return [reply(id, { cancelled: true, answers: [] })]
  return [reply(id, { selectedOption: 'cancel', comment })]
}

/** The reply goes out once every question of the request has its answer. */
function answerQuestion(state: DialogueState, interactionId: string, text: string): Effect[] | null {
  const [id = '', place = '0'] = interactionId.split('#')
  const pending = state.pending.get(id)
  if (!pending?.questions[Number(place)]) return null
  pending.answers.set(Number(place), text)
  if (pending.answers.size < pending.questions.length) return NO_EFFECTS
  state.pending.delete(id)
  const answers = pending.questions.map((question, at) => ({ ...question, answer: pending.answers.get(at) ?? '' }))
  return [reply(id, { answers })]
}

export const answer = decide<DialogueState>({ approve, deny, answer: answerQuestion })
