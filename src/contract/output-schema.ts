/** A JSON schema. */
export type JsonSchema = Record<string, unknown>

/** The part of a Standard Schema that is used here. Zod, Valibot, ArkType and others make such objects. */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
    readonly jsonSchema?: { readonly input: (options: { target: 'draft-2020-12' }) => JsonSchema } | undefined
  }
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** For a library that cannot produce the JSON schema of its schemas. */
export interface SchemaPair<Output = unknown> {
  schema: StandardSchema<Output>
  jsonSchema: JsonSchema
}

/** A JSON schema, a Standard Schema, or both. */
export type OutputSchema = JsonSchema | StandardSchema | SchemaPair

/** What `structuredOutput` is when the answer was asked for with this schema. */
export type OutputOf<Schema> =
  Schema extends StandardSchema<infer Output>
    ? Output
    : Schema extends SchemaPair<infer Output>
      ? Output
      : JsonOutput<Schema>

/** What fits a JSON schema that is known to the compiler, as one written in place is; `unknown` where it says too little. */
type JsonOutput<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly anyOf: readonly (infer Each)[] } | { readonly oneOf: readonly (infer Each)[] }
      ? JsonOutput<Each>
      : Schema extends { readonly type: readonly (infer Type)[] }
        ? OfType<Type, Schema>
        : Schema extends { readonly type: infer Type }
          ? OfType<Type, Schema>
          : unknown

type OfType<Type, Schema> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? (Schema extends { readonly items: infer Items } ? JsonOutput<Items> : unknown)[]
          : Type extends 'object'
            ? ObjectOf<Schema>
            : unknown

type ObjectOf<Schema> = Schema extends { readonly properties: infer Properties }
  ? Simplified<
      { -readonly [Name in keyof Properties & RequiredNames<Schema>]: JsonOutput<Properties[Name]> } & {
        -readonly [Name in Exclude<keyof Properties, RequiredNames<Schema>>]?: JsonOutput<Properties[Name]>
      }
    >
  : Record<string, unknown>

/** The names that must be there; none where the compiler knows only that they are text. */
type RequiredNames<Schema> = Schema extends { readonly required: readonly (infer Name)[] }
  ? string extends Name
    ? never
    : Name
  : never

type Simplified<Type> = { [Name in keyof Type]: Type[Name] }
