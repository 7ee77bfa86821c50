import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ValidationError } from '../../contract/errors.ts'
import type {
  ApprovalMode,
  Attachment,
  EndpointOverride,
  McpServerConfig,
  RunOptions,
} from '../../contract/run-options.ts'
import { mimeTypeOf } from '../../core/attachments.ts'
import { splitCommandLine } from '../../core/command-line.ts'
import { isRecord, type JsonRecord } from '../../core/json.ts'
import { choice, usageError } from '../command.ts'
import { parseDuration } from '../duration.ts'
import { EFFORTS, OUTPUT_FORMATS, type RunValues, SYSTEM_MODES } from './flags.ts'

type Environment = Readonly<Record<string, string | undefined>>

const EXCLUSIVE = [
  ['session', 'fork', 'no-session'],
  ['session', 'session-id'],
  ['yolo', 'deny', 'accept-edits'],
  ['stream', 'no-stream'],
  ['quiet', 'json'],
  ['quiet', 'interactive'],
  ['interactive', 'non-interactive'],
] as const

/** What the flags ask for. The agent and the prompt are found elsewhere: they may also be plain words. */
export function runOptions(flags: RunValues, env: Environment): Omit<RunOptions, 'prompt' | 'agent'> {
  for (const names of EXCLUSIVE) {
    const given = names.filter((name) => flags[name] !== undefined)
    if (given.length > 1) throw usageError(`${given.map((name) => `--${name}`).join(' and ')} exclude each other`)
  }
  const retries = number('--retries', flags.retries)
  return {
    model: flags.model,
    debug: flags.debug,
    profile: flags.profile,
    outputFormat: choice('--output-format', flags['output-format'], OUTPUT_FORMATS),
    outputSchema: schema(flags['output-schema']),
    nonInteractive: flags['non-interactive'],
    approvalMode: approvalMode(flags),
    allowedTools: flags['allow-tool'],
    disallowedTools: flags['disallow-tool'],
    sessionId: flags.session,
    forkSessionId: flags.fork,
    noSession: flags['no-session'],
    newSessionId: flags['session-id'],
    thinkingEffort: choice('--thinking-effort', flags['thinking-effort'], EFFORTS),
    thinkingBudgetTokens: number('--thinking-budget', flags['thinking-budget']),
    thinkingOverride: jsonObject('--thinking-override', flags['thinking-override']),
    temperature: number('--temperature', flags.temperature),
    topP: number('--top-p', flags['top-p']),
    topK: number('--top-k', flags['top-k']),
    maxTokens: number('--max-tokens', flags['max-tokens']),
    maxOutputTokens: number('--max-output-tokens', flags['max-output-tokens']),
    stream: flags.stream ? true : flags['no-stream'] ? false : undefined,
    systemPrompt: flags.system,
    systemPromptMode: choice('--system-mode', flags['system-mode'], SYSTEM_MODES),
    endpoint: endpoint(flags, env),
    timeout: duration('--timeout', flags.timeout),
    firstEventTimeout: duration('--first-event-timeout', flags['first-event-timeout']),
    inactivityTimeout: duration('--inactivity-timeout', flags['inactivity-timeout']),
    maxTurns: number('--max-turns', flags['max-turns']),
    maxCostUsd: number('--max-cost', flags['max-cost']),
    retryPolicy: retries === undefined ? undefined : { maxRetries: retries },
    cwd: flags.cwd === undefined ? undefined : resolve(flags.cwd),
    addDirs: flags['add-dir']?.map((dir) => resolve(dir)),
    attachments: flags.attach?.map(attachment),
    mcpServers: flags['mcp-server']?.map(mcpServer),
    skills: flags.skill,
    agentsDoc: flags['agents-doc'] === undefined ? undefined : readText('--agents-doc', flags['agents-doc']),
    env: variables(flags.env),
    passEnv: flags['pass-env'],
    tags: flags.tag,
    runId: flags['run-id'],
    projectId: flags['project-id'],
  }
}

const FLAG_OF_FIELD: Partial<Record<string, string>> = {
  sessionId: 'session',
  forkSessionId: 'fork',
  newSessionId: 'session-id',
  systemPrompt: 'system',
  systemPromptMode: 'system-mode',
  thinkingBudgetTokens: 'thinking-budget',
  maxCostUsd: 'max-cost',
  retryPolicy: 'retries',
  addDirs: 'add-dir',
  attachments: 'attach',
  mcpServers: 'mcp-server',
  tags: 'tag',
}

/** The same faults, told in the names that the user typed. */
export function inWordsOfFlags(error: unknown): unknown {
  if (!(error instanceof ValidationError)) return error
  const flagOf = (field: string) =>
    `--${FLAG_OF_FIELD[field] ?? field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  return new ValidationError(
    error.fields.map((fault) => ({ ...fault, field: flagOf(fault.field) })),
    'Invalid options',
  )
}

function approvalMode(flags: RunValues): ApprovalMode | undefined {
  if (flags.yolo) return 'yolo'
  if (flags.deny) return 'deny'
  return flags['accept-edits'] ? 'accept-edits' : undefined
}

function number(flag: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const parsed = Number(value)
  if (value.trim() === '' || !Number.isFinite(parsed)) throw usageError(`${flag} must be a number, not "${value}"`)
  return parsed
}

function duration(flag: string, value: string | undefined): number | undefined {
  return value === undefined ? undefined : parseDuration(flag, value)
}

function readText(flag: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw usageError(`${flag}: cannot read ${path}: ${error instanceof Error ? error.message : error}`)
  }
}

function jsonObject(flag: string, text: string | undefined): JsonRecord | undefined {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch {
    // the same fault as any other text that is no object
  }
  throw usageError(`${flag} must be a JSON object`)
}

function schema(value: string | undefined): JsonRecord | undefined {
  if (value === undefined) return undefined
  const isInline = value.trimStart().startsWith('{')
  return jsonObject('--output-schema', isInline ? value : readText('--output-schema', value))
}

function endpoint(flags: RunValues, env: Environment): EndpointOverride | undefined {
  const name = flags['endpoint-key-env']
  if (flags.endpoint === undefined) {
    if (name !== undefined) throw usageError('--endpoint-key-env needs --endpoint')
    return undefined
  }
  // The agents refuse to start without any key; an endpoint that asks for none does not look at it.
  const apiKey = name === undefined ? 'no-key' : env[name]
  if (!apiKey) throw usageError(`--endpoint-key-env: the variable ${name} is not set`)
  return { baseUrl: flags.endpoint, apiKey }
}

function variables(pairs: readonly string[] | undefined): Record<string, string> | undefined {
  if (pairs === undefined) return undefined
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw usageError(`--env must be NAME=VALUE, not "${pair}"`, 'To hand on a variable use --pass-env.')
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

/** Only types that decide how an agent takes the file; all else goes by path. */
function attachment(source: string): Attachment {
  const isUrl = /^https?:\/\//.test(source)
  const mimeType = mimeTypeOf(isUrl ? new URL(source).pathname : source)
  if (isUrl) return { url: source, mimeType }
  const filePath = resolve(source)
  if (!existsSync(filePath)) throw usageError(`--attach: no such file: ${source}`)
  return { filePath, mimeType }
}

function mcpServer(spec: string): McpServerConfig {
  if (spec.trimStart().startsWith('{')) return mcpServerFromJson(spec)
  const at = spec.indexOf('=')
  const name = spec.slice(0, at)
  const target = spec.slice(at + 1).trim()
  const words = splitCommandLine(target)
  const [command, ...args] = words ?? []
  if (at < 1 || command === undefined) {
    throw usageError(`--mcp-server must be NAME=COMMAND ARGS, NAME=URL or a JSON object, not "${spec}"`)
  }
  return /^https?:\/\//.test(target) ? { name, transport: 'streamable-http', url: target } : { name, command, args }
}

function mcpServerFromJson(spec: string): McpServerConfig {
  const { name, transport, command, args, env, url, headers } = jsonObject('--mcp-server', spec) ?? {}
  if (typeof name !== 'string') throw usageError('--mcp-server: the JSON object needs a "name"')
  if (typeof command === 'string') {
    return { name, command, args: Array.isArray(args) ? args.map(String) : undefined, env: stringMap(env) }
  }
  if (typeof url !== 'string') throw usageError('--mcp-server: the JSON object needs a "command" or a "url"')
  return { name, transport: transport === 'sse' ? 'sse' : 'streamable-http', url, headers: stringMap(headers) }
}

function stringMap(value: unknown): Record<string, string> | undefined {
  if (!isRecord(value)) return undefined
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, String(one)]))
}
