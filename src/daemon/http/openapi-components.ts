import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { change, message, notification } from '../../contract/api/change.ts'
import { leftover } from '../../contract/api/leftover.ts'
import { managedSession } from '../../contract/api/managed-session.ts'
import { restorePlan, run } from '../../contract/api/schemas.ts'
import { asRecord, asString, isRecord, type JsonRecord, parseRecord } from '../../core/json.ts'
import { API_SHAPES } from '../api-shapes.ts'

/** Schemas that clients will want to have by name. */
const NAMES = {
  Change: change,
  Leftover: leftover,
  ManagedSession: managedSession,
  Message: message,
  Notification: notification,
  RestorePlan: restorePlan,
  Run: run,
}
for (const [id, schema] of Object.entries(NAMES)) z.globalRegistry.add(schema, { id })

/** The named schemas of a document: each is written once, and referred to. */
export class Components {
  readonly #shapes = parseRecord(readFileSync(API_SHAPES, 'utf8')) ?? {}
  readonly #named: JsonRecord = {}

  schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonRecord {
    const { $schema: _dialect, $defs, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
    for (const [name, one] of Object.entries($defs ?? {})) this.#named[name] = this.#referring(withoutId(one))
    const name = asString(rest.id)
    const referring = asRecord(this.#referring(withoutId(rest))) ?? {}
    if (name === undefined) return referring
    this.#named[name] = referring
    return reference(name)
  }

  all(): JsonRecord {
    return { ...this.#shapes, ...this.#named }
  }

  /** The same schema, with references in place of what has a schema of its own. */
  #referring(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#referring(one))
    if (!isRecord(value)) return value
    const { title } = value
    if (typeof title === 'string' && Object.hasOwn(this.#shapes, title)) return reference(title)
    const entries = Object.entries(value).map(([key, one]) => [
      key,
      key === '$ref' ? String(one).replace('#/$defs/', '#/components/schemas/') : this.#referring(one),
    ])
    return Object.fromEntries(entries)
  }
}

function withoutId(schema: unknown): JsonRecord {
  const { id: _id, ...rest } = asRecord(schema) ?? {}
  return rest
}

export function reference(name: string): JsonRecord {
  return { $ref: `#/components/schemas/${name}` }
}
