import type { z } from 'zod'
import type { RouteName } from '../../contract/api/routes.ts'
import { type Answer, type Checked, SCHEMAS } from '../../contract/api/schemas.ts'
import { type FieldError, ValidationError } from '../../contract/errors.ts'

/** A route with its handler: takes what came over the wire, checks it and answers. */
export interface Endpoint {
  handle(raw: Record<string, unknown>): Promise<unknown>
}

export type Endpoints = Readonly<Record<RouteName, Endpoint>>

// The same table, in a form that a generic function can look things up in.
const BY_NAME: { [Name in RouteName]: { input: z.ZodType<Checked<Name>> } } = SCHEMAS

export function endpoint<Name extends RouteName>(
  name: Name,
  handler: (input: Checked<Name>) => Answer<Name> | Promise<Answer<Name>>,
): Endpoint {
  const schema = BY_NAME[name].input
  return {
    async handle(raw) {
      const checked = schema.safeParse(raw)
      if (!checked.success) throw new ValidationError(checked.error.issues.map(fault), 'Invalid request')
      return handler(checked.data)
    },
  }
}

function fault({ path, message, ...issue }: z.core.$ZodIssue): FieldError {
  const expected = 'expected' in issue ? String(issue.expected) : issue.code
  return { field: path.join('.') || '(request)', message, received: undefined, expected }
}
