import type { Effect } from '../../../contract/dialogue.ts'
import type { RunOptions } from '../../../contract/run-options.ts'
import { writeLine } from '../../../core/effects.ts'
import type { JsonRecord } from '../../../core/json.ts'
import { promptNamingFiles } from '../../kit/mention.ts'
import { ENDPOINT_PROVIDER } from './endpoint.ts'
import type { DialogueState } from './state.ts'

/** One command for the CLI's stdin. */
export function send(state: DialogueState, type: string, fields: JsonRecord = {}): Effect {
  state.requestCount += 1
  return writeLine({ id: String(state.requestCount), type, ...fields })
}

/** The images of the first message; other files are named in it. */
function images({ attachments = [] }: RunOptions): JsonRecord[] | undefined {
  const found = attachments.filter(({ base64 }) => base64 !== undefined)
  return found.length === 0
    ? undefined
    : found.map(({ base64, mimeType }) => ({ type: 'image', data: base64, mimeType }))
}

export function sendPrompt(state: DialogueState, text: string): Effect {
  const { isFirstTurn, options } = state
  state.isFirstTurn = false
  return send(state, 'prompt', {
    message: text,
    images: isFirstTurn ? images(options) : undefined,
  })
}

export function firstPrompt({ options }: DialogueState): string {
  return promptNamingFiles(options)
}

/** `provider/id`; an id alone is one of the provider in use. Null when nobody knows the provider. */
export function sendModel(state: DialogueState, model: string): Effect[] | null {
  const slash = state.options.endpoint ? -1 : model.indexOf('/')
  const known = state.options.endpoint ? ENDPOINT_PROVIDER : state.provider
  const provider = slash === -1 ? known : model.slice(0, slash)
  return provider === undefined ? null : [send(state, 'set_model', { provider, modelId: model.slice(slash + 1) })]
}
