import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { type FieldError, ValidationError } from '../contract/errors.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { isRecord } from '../core/json.ts'
import { isUlid } from '../core/ulid.ts'

/** Null when the value is good, else what was expected. */
type Check = (value: unknown) => string | null

const when =
  (expected: string, test: (value: unknown) => boolean): Check =>
  (value) =>
    test(value) ? null : expected
const isString = (value: unknown): value is string => typeof value === 'string'
const text = when('a non-empty string', (value) => isString(value) && value.trim() !== '')
const anyText = when('a string', isString)
const flag = when('a boolean', (value) => typeof value === 'boolean')
const callback = when('a function', (value) => typeof value === 'function')
const record = when('an object', isRecord)
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
  return statSync(value, { throwIfNoEntry: false })?.isDirectory() ?? false
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
  'a retry policy (maxRetries, baseDelayMs, maxDelayMs >= baseDelayMs, jitterFactor 0…1)',
  (value) => {
    if (!isRecord(value)) return false
    const { maxRetries = 3, baseDelayMs = 1000, maxDelayMs = 30_000, jitterFactor = 0.1, retryOn = [] } = value
    const counts = [maxRetries, baseDelayMs, maxDelayMs].every((n) => integer(0)(n) === null)
    return counts && Number(maxDelayMs) >= Number(baseDelayMs) && !number(0, 1)(jitterFactor) && !strings(retryOn)
  },
)

const endpoint = when(
  'an object with an http(s) baseUrl and an apiKey',
  (value) => isRecord(value) && /^https?:\/\//.test(`${value.baseUrl}`) && isString(value.apiKey),
)

const CHECKS: Record<keyof RunOptions, Check> = {
  agent: text,
  prompt,
  systemPrompt: anyText,
  systemPromptMode: oneOf('prepend', 'append', 'replace'),
  attachments,
  model: text,
  thinkingEffort: oneOf('low', 'medium', 'high', 'xhigh', 'max'),
  thinkingBudgetTokens: integer(1024),
  thinkingOverride: record,
  temperature: number(0, 2),
  topP: number(0, 1),
  topK: integer(1),
  maxTokens: integer(1),
  maxOutputTokens: integer(1),
  sessionId: text,
  forkSessionId: text,
  noSession: flag,
  newSessionId: text,
  stream: oneOf(true, false, 'auto'),
  outputFormat: oneOf('text', 'json', 'jsonl'),
  outputSchema: record,
  cwd: directory,
  addDirs: strings,
  env: stringMap,
  passEnv: strings,
  timeout: integer(0),
  inactivityTimeout: integer(0),
  firstEventTimeout: integer(0),
  maxTurns: integer(1),
  maxCostUsd: number(0, Number.MAX_VALUE),
  approvalMode: oneOf('prompt', 'accept-edits', 'yolo', 'deny'),
  allowedTools: strings,
  disallowedTools: strings,
  onInputRequired: callback,
  onApprovalRequest: callback,
  skills: strings,
  agentsDoc: anyText,
  mcpServers,
  endpoint,
  retryPolicy,
  tags: strings,
  projectId: text,
  continuedFrom: text,
  profile: when('1 to 64 letters, digits, _ or -', (value) => isString(value) && /^[A-Za-z0-9_-]{1,64}$/.test(value)),
  runId: when('a ULID', (value) => isString(value) && isUlid(value)),
  collectEvents: flag,
  debug: flag,
  gracePeriodMs: integer(0),
  eventBufferSize: integer(100, 100_000),
  invocation: when('{ mode: "local" }', (value) => isRecord(value) && value.mode === 'local'),
  nonInteractive: flag,
  keepOpen: flag,
  signal: when('an AbortSignal', (value) => value instanceof AbortSignal),
}

const SESSION_CHOICES = ['sessionId', 'forkSessionId', 'noSession'] as const

function isOptionName(name: string): name is keyof RunOptions {
  return Object.hasOwn(CHECKS, name)
}

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
  for (const name of ['agent', 'prompt'] as const) {
    if (options[name] === undefined) {
      errors.push({ field: name, message: 'is required', received: undefined, expected: CHECKS[name](undefined) ?? '' })
    }
  }
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    if (!isOptionName(name)) {
      errors.push({ field: name, message: 'is not an option', received: value, expected: 'an option of RunOptions' })
      continue
    }
    const expected = CHECKS[name](value)
    if (expected) errors.push({ field: name, message: `must be ${expected}`, received: value, expected })
  }
  if (errors.length > 0) throw new ValidationError(errors, 'Invalid run options')
}
