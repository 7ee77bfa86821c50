import type { JsonSchema, OutputSchema, StandardIssue, StandardSchema } from '../contract/output-schema.ts'
import { jsonIssues } from '../core/json-schema.ts'
import { jsonSchemaOf, parseAnswer, repairPrompt, standardSchemaOf } from '../core/output-schema.ts'

export type Checked = { value: unknown } | { fault: string }

type Check = (value: unknown) => Promise<Checked>

/** Checks answers against the schema that they were asked for with, and asks once for a better one. */
export class OutputGuard {
  readonly #schema: JsonSchema
  readonly #check: Check
  #hasAsked = false

  constructor(schema: OutputSchema) {
    const standard = standardSchemaOf(schema)
    this.#schema = jsonSchemaOf(schema)
    this.#check = standard ? checkWith(standard) : checkOf(this.#schema)
  }

  /** `structured`: what the agent itself calls its answer to the schema; else it is the text. */
  async check(structured: unknown, text: string): Promise<Checked> {
    const answer = structured === undefined ? parseAnswer(text) : { value: structured }
    return answer === null ? { fault: 'it is not JSON' } : this.#check(answer.value)
  }

  /** Null: it was asked for once in this turn, and one time is all. */
  repair(fault: string): string | null {
    if (this.#hasAsked) return null
    this.#hasAsked = true
    return repairPrompt(this.#schema, fault)
  }

  /** The caller has said something new. */
  newPrompt(): void {
    this.#hasAsked = false
  }
}

function checkWith(schema: StandardSchema): Check {
  return async (value) => {
    const result = await schema['~standard'].validate(value)
    return result.issues ? { fault: faultOf(result.issues) } : { value: result.value }
  }
}

function checkOf(jsonSchema: JsonSchema): Check {
  return async (value) => {
    const issues = jsonIssues(jsonSchema, value)
    return issues.length > 0 ? { fault: faultOf(issues) } : { value }
  }
}

const MOST_ISSUES = 5

function faultOf(issues: readonly StandardIssue[]): string {
  const reported = issues.slice(0, MOST_ISSUES).map(({ message, path = [] }) => {
    const where = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
    return where === '' ? message : `${where}: ${message}`
  })
  return reported.join('; ')
}
