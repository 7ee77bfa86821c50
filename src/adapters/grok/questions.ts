import type { Dialogue, Effect } from '../../contract/dialogue.ts'
import { writeLine } from '../../core/effects.ts'
import { asRecord, asRecords, type JsonRecord, parseRecord, textOf } from '../../core/json.ts'
import type { AnswerCommand } from '../kit/commands.ts'

const METHOD = '_x.ai/ask_user_question'

/** A request that waits for its answers, by question. */
interface Asked {
  id: unknown
  questions: string[]
  answers: Map<string, string>
}

function reply(id: unknown, result: JsonRecord): Effect {
  return writeLine({ jsonrpc: '2.0', id, result })
}

/** Grok asks the user by a request of its own, beside the protocol. It waits for the answer. */
export function withQuestions(dialogue: Dialogue): Dialogue {
  const asked = new Map<string, Asked>()

  const ask = ({ id, params }: JsonRecord): Effect[] => {
    const questions = asRecords(asRecord(params)?.questions)
    const key = `question-${textOf(id)}`
    asked.set(key, { id, questions: questions.map(({ question }) => textOf(question)), answers: new Map() })
    return questions.map(({ question, options }, index) => ({
      emit: {
        type: 'input_required',
        // Several questions come in one request; each gets an interaction of its own.
        interactionId: questions.length === 1 ? key : `${key}#${index}`,
        question: textOf(question),
        options: asRecords(options).map(({ label }) => textOf(label)),
        source: 'agent',
      },
    }))
  }

  const cancelAll = (): Effect[] => {
    const effects = [...asked.values()].map(({ id }) => reply(id, { outcome: 'cancelled' }))
    asked.clear()
    return effects
  }

  const decide = (command: AnswerCommand): Effect[] | null => {
    const [key = '', index = '0'] = command.interactionId.split('#')
    const request = asked.get(key)
    const question = request?.questions[Number(index)]
    if (!request || question === undefined) return dialogue.onCommand(command)
    if (command.type !== 'answer') {
      asked.delete(key)
      return [reply(request.id, { outcome: 'cancelled' })]
    }
    request.answers.set(question, command.text)
    if (request.questions.some((one) => !request.answers.has(one))) return []
    asked.delete(key)
    return [reply(request.id, { outcome: 'accepted', answers: Object.fromEntries(request.answers) })]
  }

  return {
    ...dialogue,
    onLine(line, source) {
      const record = line.includes(METHOD) ? parseRecord(line) : null
      return record?.method === METHOD ? ask(record) : dialogue.onLine(line, source)
    },
    onCommand(command) {
      if ('interactionId' in command) return decide(command)
      const effects = dialogue.onCommand(command)
      return command.type === 'interrupt' && effects ? [...cancelAll(), ...effects] : effects
    },
  }
}
