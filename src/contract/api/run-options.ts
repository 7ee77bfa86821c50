import { z } from 'zod'
import type { OptionKind, OptionRow } from '../option-row.ts'
import { optionsAt, rowOf, SECRET_OPTIONS } from '../options.ts'
import type { RunOptions } from '../run-options.ts'
import { attachment, endpoint, mcpServer, policy, price, retryPolicy } from './run-option-values.ts'

const text = z.string().min(1)

/**
 * Only the shape is checked here; what a value means, and whether the agent can honour it, is checked where every run
 * is. The bounds are for the reader of the document.
 */
const number = ({ min, max }: OptionRow) => {
  const maximum = max === Number.MAX_VALUE ? undefined : max
  return z
    .number()
    .meta({ ...(min === undefined ? {} : { minimum: min }), ...(maximum === undefined ? {} : { maximum }) })
}

const duration = z.number().meta({ minimum: 0, description: 'Milliseconds; 0: no limit' })

const KINDS: Partial<Record<OptionKind, (row: OptionRow) => z.ZodType>> = {
  text: () => text,
  word: () => text,
  string: () => z.string(),
  document: () => z.string(),
  profileName: () => text,
  boolean: () => z.boolean(),
  choice: ({ choices = [] }) => z.enum(choices.map(String)),
  integer: number,
  number,
  duration: () => duration,
  strings: () => z.array(text),
  paths: () => z.array(text),
  variables: () => z.record(z.string(), z.string()),
  record: () => z.record(z.string(), z.unknown()),
  attachments: () => z.array(attachment),
  mcpServers: () => z.array(mcpServer),
  endpoint: () => endpoint,
  retryPolicy: () => retryPolicy,
  price: () => price,
  policy: () => z.union([text, policy]),
}

/** Every field may be left out. */
type Shape<Name extends keyof RunOptions> = {
  [One in Name]: z.ZodOptional<z.ZodType<NonNullable<RunOptions[One]>, NonNullable<RunOptions[One]>>>
}

function shapeOf<Name extends keyof RunOptions>(names: readonly Name[]): Shape<Name> {
  const fields = names.map((name) => {
    const row = rowOf(name)
    const shape = KINDS[row.kind]?.(row)
    if (!shape) throw new Error(`The API has no schema for the option ${name}, a ${row.kind}`)
    return [name, (row.about === undefined ? shape : shape.describe(row.about)).optional()]
  })
  return Object.fromEntries(fields)
}

/** The part of `RunOptions` that can be given to the daemon. */
export const daemonRunOptions = z.strictObject(shapeOf(optionsAt('daemon')))
export type DaemonRunOptions = z.infer<typeof daemonRunOptions>

/** Of these, what may hold secrets. */
export const secretRunOptions = z.strictObject(shapeOf(SECRET_OPTIONS))
