import { ValidationError } from '../contract/errors.ts'
import type { JsonSchema, OutputSchema, SchemaPair, StandardSchema } from '../contract/output-schema.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { isRecord } from './json.ts'
import { schemaFault } from './json-schema.ts'

export function isStandardSchema(value: unknown): value is StandardSchema {
  // ArkType's schemas are functions.
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return false
  return '~standard' in value && isRecord(value['~standard']) && typeof value['~standard'].validate === 'function'
}

function isPair(value: OutputSchema): value is SchemaPair {
  return 'schema' in value && isStandardSchema(value.schema) && isRecord(value.jsonSchema)
}

/** What an answer is checked with; null: the JSON schema itself. */
export function standardSchemaOf(schema: OutputSchema): StandardSchema | null {
  if (isStandardSchema(schema)) return schema
  return isPair(schema) ? schema.schema : null
}

/** The schema that the agent gets. Throws for a library that cannot produce it. */
export function jsonSchemaOf(schema: OutputSchema): JsonSchema {
  if (isPair(schema)) return schema.jsonSchema
  if (!isStandardSchema(schema)) return checkable(schema)
  const { vendor, jsonSchema } = schema['~standard']
  let why = `${vendor} does not provide the JSON schema of its schemas`
  try {
    // What the agent writes is what goes into the schema; what comes out may be transformed.
    const found = jsonSchema?.input({ target: 'draft-2020-12' }) ?? ownJsonSchema(schema)
    if (found) return found
  } catch (error) {
    why = error instanceof Error ? error.message : String(error)
  }
  const expected = 'a schema that provides its JSON schema, or { schema, jsonSchema }'
  throw new ValidationError([
    { field: 'outputSchema', message: `needs a JSON schema beside it: ${why}`, received: vendor, expected },
  ])
}

/**
 * The same without the name of its dialect. Zod and ArkType name draft 2020-12, and Claude Code 2.1.325 refuses every
 * schema that names another one than draft 7. The answer is checked by the whole schema anyway.
 */
export function withoutDialect({ $schema: _, ...schema }: JsonSchema): JsonSchema {
  return schema
}

/** Refuses a schema that no answer could be checked with. */
function checkable(schema: JsonSchema): JsonSchema {
  const fault = schemaFault(schema)
  if (fault === null) return schema
  const expected = 'a JSON schema of draft 7 or later'
  throw new ValidationError([
    { field: 'outputSchema', message: `no answer can be checked with it: ${fault}`, received: schema, expected },
  ])
}

/** ArkType and Zod have a method for it, whatever their version of the standard. */
function ownJsonSchema(schema: StandardSchema): JsonSchema | null {
  const method = 'toJsonSchema' in schema ? schema.toJsonSchema : 'toJSONSchema' in schema ? schema.toJSONSchema : null
  const found: unknown = typeof method === 'function' ? method.call(schema, { io: 'input' }) : null
  return isRecord(found) ? found : null
}

const ASK =
  'Your final answer must be JSON that fits this JSON schema, and nothing else: no code fence, no other words.'

/**
 * Qwen Code 0.24 takes `@` for the beginning of a path: it opens a file that a wrong answer names, and asks nobody, and
 * it changes patterns by a space before it. In JSON both spellings are the same.
 */
const withoutMentions = (text: string): string => text.replaceAll('@', '\\u0040')

const askFor = (schema: unknown): string => `${ASK}\n${JSON.stringify(schema)}`

/** For an agent that has no option for a schema: it goes below the prompt. */
export function promptWithSchema({ prompt, outputSchema }: Pick<RunOptions, 'prompt' | 'outputSchema'>): string[] {
  const parts = [prompt].flat()
  return outputSchema === undefined ? parts : [...parts, withoutMentions(askFor(outputSchema))]
}

/** The turn that asks for a better answer. */
export function repairPrompt(schema: JsonSchema, fault: string): string {
  const complaint = `Your answer does not fit the JSON schema that was asked for: ${fault}.`
  return withoutMentions(`${complaint}\n${askFor(schema)}`)
}

const FENCE = /^```(?:json)?\s*\n([\s\S]*?)\n```$/

/** The JSON that an answer is, maybe in a code fence. */
export function parseAnswer(text: string): { value: unknown } | null {
  const trimmed = text.trim()
  try {
    return { value: JSON.parse(FENCE.exec(trimmed)?.[1] ?? trimmed) }
  } catch {
    return null
  }
}
