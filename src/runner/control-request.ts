import { type ControlRequest, MAX_TERMINAL_LENGTH } from '../contract/launch.ts'
import { isRecord, type JsonRecord } from '../core/json.ts'

type Check = (value: unknown) => boolean

const text: Check = (value) => typeof value === 'string'
const size: Check = (value) => Number.isInteger(value) && Number(value) > 0 && Number(value) <= MAX_TERMINAL_LENGTH
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const oneOf =
  (...words: string[]): Check =>
  (value) =>
    words.includes(String(value))
const response: Check = (value) => isRecord(value) && oneOf('approve', 'deny', 'text')(value.type)

const PROMPT = { text, when: optional(oneOf('next-turn', 'after-tool', 'after-response')) }
const NOTHING = {}

const FIELDS: Readonly<Record<ControlRequest['command'], Readonly<Record<string, Check>>>> = {
  send: PROMPT,
  steer: PROMPT,
  queue: PROMPT,
  approve: { interactionId: optional(text), detail: optional(text) },
  deny: { interactionId: optional(text), reason: optional(text) },
  respond: { interactionId: text, response },
  set_model: { model: text },
  input: { data: text },
  resize: { cols: size, rows: size },
  interrupt: NOTHING,
  pause: NOTHING,
  resume: NOTHING,
  abort: NOTHING,
  close: NOTHING,
  status: NOTHING,
  subscribe: NOTHING,
  unsubscribe: NOTHING,
  screen: NOTHING,
}

const COMMANDS = new Map(Object.entries(FIELDS))

/** What is wrong with a request, or null. */
export function faultOf(record: JsonRecord): string | null {
  if (typeof record.id !== 'number') return '`id` must be a number'
  if (record.key !== undefined && typeof record.key !== 'string') return '`key` must be a text'
  const fields = COMMANDS.get(String(record.command))
  if (!fields) return `there is no command "${record.command}"`
  const wrong = Object.entries(fields).find(([name, check]) => !check(record[name]))
  return wrong ? `\`${wrong[0]}\` is missing or not what it should be` : null
}

export function isControlRequest(record: JsonRecord): record is JsonRecord & ControlRequest {
  return faultOf(record) === null
}
