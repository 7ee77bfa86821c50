import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { type FieldError, ValidationError } from '../contract/errors.ts'
import type { OptionKind, OptionRow } from '../contract/option-row.ts'
import { isOptionName, OPTION_NAMES, type OptionName, rowOf } from '../contract/options.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { isRecord } from '../core/json.ts'
import { isStandardSchema } from '../core/output-schema.ts'
import { policyFault } from '../core/policy/check-policy.ts'
import { nearest } from '../core/suggest.ts'
import { isUlid } from '../core/ulid.ts'

/** Null when the value is good, else what was expected. */
type Check = (value: unknown) => string | null

const when =
  (expected: string, test: (value: unknown) => boolean): Check =>
  (value) =>
    test(value) ? null : expected
const isString = (value: unknown): value is string => typeof value === 'string'
const text = when('a non-empty string', (value) => isString(value) && value.trim() !== '')
const word = when(
  'a non-empty string that does not begin with "-"',
  (value) => isString(value) && value.trim() !== '' && !value.trimStart().startsWith('-'),
)
const anyText = when('a string', isString)
const flag = when('a boolean', (value) => typeof value === 'boolean')
const callback = when('a function', (value) => typeof value === 'function')
const record = when('an object', isRecord)
const schema = when(
  'a JSON schema, a Standard Schema or { schema, jsonSchema }',
  (value) => isRecord(value) || isStandardSchema(value),
)
const strings = when('a list of strings', (value) => Array.isArray(value) && value.every(isString))
const stringMap = when('an object of strings', (value) => isRecord(value) && Object.values(value).every(isString))

function oneOf(...choices: unknown[]): Check {
  return when(`one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`, (value) =>
    choices.includes(value),
  )
}

function integer(min: number, max = Number.MAX_SAFE_INTEGER): Check {
  const expected =
    max === Number.MAX_SAFE_INTEGER ? `an integer of at least ${min}` : `an integer from ${min} to ${max}`
  return when(expected, (value) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max)
}

function number(min: number, max: number): Check {
  const fits = (value: unknown) => typeof value === 'number' && value >= min && value <= max
  return when(`a number from ${min} to ${max}`, fits)
}

const prompt = when(
  'a non-empty string, or a list of strings that is not empty',
  (value) =>
    (isString(value) && value.trim() !== '') ||
    (Array.isArray(value) && value.every(isString) && value.some((part) => part.trim() !== '')),
)

const directory = when('an absolute path of an existing directory', (value) => {
  if (!isString(value) || !isAbsolute(value)) return false
  try {
    return statSync(value).isDirectory()
  } catch {
    return false // also below a file, or with a name that no file can have
  }
})

const attachments = when(
  'a list of attachments, each with exactly one of filePath (absolute), url or base64 (with mimeType)',
  (value) => Array.isArray(value) && value.every(isAttachment),
)

function isAttachment(value: unknown): boolean {
  if (!isRecord(value)) return false
  const sources = ['filePath', 'url', 'base64'].filter((key) => value[key] !== undefined)
  if (sources.length !== 1) return false
  if (value.base64 !== undefined && !isString(value.mimeType)) return false
  return value.filePath === undefined || (isString(value.filePath) && isAbsolute(value.filePath))
}

const mcpServers = when(
  'a list of MCP servers, each with a name (letters, digits, _ and -) and a command, or a url with its transport (sse or streamable-http)',
  (value) => Array.isArray(value) && value.every(isMcpServer),
)

function isMcpServer(value: unknown): boolean {
  if (!isRecord(value) || !isString(value.name) || !/^[A-Za-z0-9_-]+$/.test(value.name)) return false
  const { transport = 'stdio', command, url } = value
  return transport === 'stdio'
    ? isString(command)
    : isString(url) && ['sse', 'streamable-http'].includes(`${transport}`)
}

const retryPolicy = when(
  'a retry policy (maxRetries, baseDelayMs, maxDelayMs >= baseDelayMs, jitterFactor 0…1, retryOn)',
  (value) => {
    if (!isRecord(value)) return false
    const { maxRetries = 3, baseDelayMs = 1000, maxDelayMs = 30_000, jitterFactor = 0.1, retryOn = [], ...rest } = value
    if (Object.keys(rest).length > 0) return false
    const counts = [maxRetries, baseDelayMs, maxDelayMs].every((n) => integer(0)(n) === null)
    return counts && Number(maxDelayMs) >= Number(baseDelayMs) && !number(0, 1)(jitterFactor) && !strings(retryOn)
  },
)

const profileName = when(
  '1 to 64 letters, digits, _ or -',
  (value) => isString(value) && /^[A-Za-z0-9_-]{1,64}$/.test(value),
)

const PRICES = ['input', 'output', 'cacheRead', 'cacheWrite']

const price = when(
  'an object with input and output (also cacheRead, cacheWrite), in dollars per million tokens',
  (value) =>
    isRecord(value) &&
    value.input !== undefined &&
    value.output !== undefined &&
    Object.entries(value).every(
      ([name, one]) => PRICES.includes(name) && (one === undefined || number(0, Number.MAX_VALUE)(one) === null),
    ),
)

/** Relative to what, a path does not say: a repository must not put a file there. */
const policy: Check = (value) => {
  if (isString(value))
    return isAbsolute(value) || value.startsWith('~/') ? null : 'a policy, or an absolute path of its file'
  const fault = policyFault(value)
  return fault === null ? null : `a policy: ${fault}`
}

const endpoint = when(
  'an object with an http(s) baseUrl and an apiKey',
  (value) => isRecord(value) && /^https?:\/\//.test(`${value.baseUrl}`) && isString(value.apiKey),
)

/** The check of a kind; what a row may bound is taken from the row. */
const CHECKS: Record<OptionKind, (row: OptionRow) => Check> = {
  text: () => text,
  word: () => word,
  string: () => anyText,
  document: () => anyText,
  prompt: () => prompt,
  profileName: () => profileName,
  ulid: () => when('a ULID', (value) => isString(value) && isUlid(value)),
  directory: () => directory,
  boolean: () => flag,
  choice: ({ choices = [] }) => oneOf(...choices),
  integer: ({ min = 0, max }) => integer(min, max),
  number: ({ min = 0, max = Number.MAX_VALUE }) => number(min, max),
  duration: () => integer(0),
  strings: () => strings,
  paths: () => strings,
  variables: () => stringMap,
  record: () => record,
  schema: () => schema,
  attachments: () => attachments,
  mcpServers: () => mcpServers,
  endpoint: () => endpoint,
  retryPolicy: () => retryPolicy,
  price: () => price,
  policy: () => policy,
  invocation: () => when('{ mode: "local" }', (value) => isRecord(value) && value.mode === 'local'),
  callback: () => callback,
  signal: () => when('an AbortSignal', (value) => value instanceof AbortSignal),
}

/** What was expected, or null when the value is good. */
export function faultOf(name: OptionName, value: unknown): string | null {
  const row = rowOf(name)
  return CHECKS[row.kind](row)(value)
}

/** A name that nobody knows, with the one that was probably meant. */
export function unknownName(field: string, value: unknown, known: readonly string[], what: string): FieldError {
  const [close] = nearest(field, known, 2)
  const message = close ? `is not ${what}: did you mean ${close}?` : `is not ${what}`
  return { field, message, received: value, expected: what }
}

/** What makes the agent not ask, so that no rule would be looked at. */
function policyConflicts({ policy, approvalMode = 'prompt', allowedTools = [] }: RunOptions): FieldError[] {
  if (policy === undefined) return []
  const errors: FieldError[] = []
  if (approvalMode === 'yolo' || approvalMode === 'accept-edits') {
    const expected = 'approvalMode "prompt" or "deny"'
    const message = `does not go with approvalMode "${approvalMode}": then the agent does not ask`
    errors.push({ field: 'policy', message, received: approvalMode, expected })
  }
  if (Array.isArray(allowedTools) && allowedTools.length > 0) {
    const message = 'does not go with allowedTools: for these the agent does not ask. Write rules that allow them'
    errors.push({ field: 'policy', message, received: allowedTools, expected: 'no allowedTools' })
  }
  return errors
}

const SESSION_CHOICES = ['sessionId', 'forkSessionId', 'noSession'] as const

/** Throws one ValidationError that names every fault. No coercion; null is a fault, undefined means "not given". */
export function validateOptions(options: RunOptions): void {
  if (!isRecord(options)) {
    throw new ValidationError([
      { field: 'options', message: 'must be an object', received: options, expected: 'object' },
    ])
  }
  const errors: FieldError[] = []
  const chosen = SESSION_CHOICES.filter((name) => options[name] !== undefined && options[name] !== false)
  if (chosen.length > 1) {
    errors.push({
      field: chosen.join(', '),
      message: 'exclude each other: give one',
      received: chosen,
      expected: 'at most one of sessionId, forkSessionId, noSession',
    })
  }
  errors.push(...policyConflicts(options))
  for (const name of ['agent', 'prompt'] as const) {
    if (options[name] === undefined) {
      errors.push({
        field: name,
        message: 'is required',
        received: undefined,
        expected: faultOf(name, undefined) ?? '',
      })
    }
  }
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    if (!isOptionName(name)) {
      errors.push(unknownName(name, value, OPTION_NAMES, 'a run option'))
      continue
    }
    const expected = faultOf(name, value)
    if (expected) errors.push({ field: name, message: `must be ${expected}`, received: value, expected })
  }
  if (errors.length > 0) throw new ValidationError(errors, 'Invalid run options')
}
