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
  Schema extends StandardSchema<infer Output> ? Output : Schema extends SchemaPair<infer Output> ? Output : unknown
