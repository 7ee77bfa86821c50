import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { OptionKind, OptionRow } from '../../contract/option-row.ts'
import { flagEntries, type OptionName, rowOf } from '../../contract/options.ts'
import type { Attachment } from '../../contract/run-options.ts'
import { mimeTypeOf } from '../../core/attachments.ts'
import { readPolicyFile } from '../../files/policy-file.ts'
import { choice, usageError } from '../command.ts'
import { parseDuration } from '../duration.ts'
import { mcpServer } from './mcp-flag.ts'
import { parsePrice } from './price-flag.ts'
import { jsonObject, readText } from './text-values.ts'

export type Environment = Readonly<Record<string, string | undefined>>
export type FlagValues = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>

interface FlagReading {
  /** As the user types it: `--max-cost`. */
  flag: string
  row: OptionRow
  flags: FlagValues
  env: Environment
}

type Reader<Value> = (value: Value, reading: FlagReading) => unknown

/** From the text of a flag to the value of its option. A kind without a reader is taken as it is. */
const ONE: Partial<Record<OptionKind, Reader<string>>> = {
  choice: (value, { flag, row }) => choice(flag, value, (row.choices ?? []).map(String)),
  integer: number,
  number,
  duration: (value, { flag }) => parseDuration(flag, value),
  directory: (value) => resolve(value),
  document: (path, { flag }) => readText(flag, path),
  record: (value, { flag }) => jsonObject(flag, value),
  schema: (value, { flag }) => jsonObject(flag, value.trimStart().startsWith('{') ? value : readText(flag, value)),
  retryPolicy: (value, reading) => ({ maxRetries: number(value, reading) }),
  price: parsePrice,
  policy: (path) => readPolicyFile(resolve(path)),
  endpoint: (baseUrl, { flags, env }) => ({ baseUrl, apiKey: endpointKey(flags['endpoint-key-env'], env) }),
}

const MANY: Partial<Record<OptionKind, Reader<readonly string[]>>> = {
  paths: (values) => values.map((path) => resolve(path)),
  variables,
  attachments: (values) => values.map(attachment),
  mcpServers: (values) => values.map(mcpServer),
}

/** The value that the flags give an option; undefined when they do not. */
export function readOption(name: OptionName, flags: FlagValues, env: Environment): unknown {
  const row = rowOf(name)
  const given = flagEntries(name).filter(([flag]) => flags[flag] !== undefined)
  const [first] = given
  if (!first) return undefined
  const [flag, { sets }] = first
  if (sets !== undefined) return sets
  const value = flags[flag]
  const reading = { flag: `--${flag}`, row, flags, env }
  if (flag === 'endpoint-key-env') throw usageError('--endpoint-key-env needs --endpoint')
  if (typeof value === 'string') return ONE[row.kind]?.(value, reading) ?? value
  if (Array.isArray(value)) return MANY[row.kind]?.(value.map(String), reading) ?? value
  return value
}

function number(value: string, { flag }: FlagReading): number {
  const parsed = Number(value)
  if (value.trim() === '' || !Number.isFinite(parsed)) throw usageError(`${flag} must be a number, not "${value}"`)
  return parsed
}

/** The agents refuse to start without any key; an endpoint that asks for none does not look at it. */
function endpointKey(name: FlagValues[string], env: Environment): string {
  if (name === undefined) return 'no-key'
  const key = env[String(name)]
  if (!key) throw usageError(`--endpoint-key-env: the variable ${name} is not set`)
  return key
}

function variables(pairs: readonly string[]): Record<string, string> {
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
