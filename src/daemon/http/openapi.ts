import { z } from 'zod'
import { API_PREFIX, ROUTES, STREAMS } from '../../contract/api/routes.ts'
import { SCHEMAS } from '../../contract/api/schemas.ts'
import { asArray, asRecord, type JsonRecord } from '../../core/json.ts'

/** The description of the API, from the one table of routes. */
export function openApiDocument(version: string): JsonRecord {
  const paths: Record<string, JsonRecord> = {}
  for (const [name, { method, path, about }] of Object.entries(ROUTES)) {
    const schemas = Object.entries(SCHEMAS).find(([one]) => one === name)?.[1]
    if (schemas === undefined) continue
    const operation = {
      operationId: name,
      summary: about,
      ...describeInput(method, path, jsonSchema(schemas.input, 'input')),
      responses: {
        200: { description: 'Done', ...json(jsonSchema(schemas.output, 'output')) },
        default: { description: 'Refused', ...json({ $ref: '#/components/schemas/Error' }) },
      },
    }
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  for (const [name, { path, about }] of Object.entries(STREAMS)) {
    const parameters = [...parametersIn(path), ...(name === 'events' ? PLACE : [])]
    paths[path] = { get: { operationId: name, summary: about, parameters, responses: { 200: { description: about } } } }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'agent-mux daemon', version },
    servers: [{ url: API_PREFIX }],
    security: [{ token: [] }],
    paths,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } }, schemas: { Error: ERROR } },
  }
}

/** Where a reader of a stream wants to go on. */
const PLACE = [
  { name: 'after', in: 'query', required: false, schema: { type: 'integer' } },
  { name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'integer' } },
]

function parametersIn(path: string): JsonRecord[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  return names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
}

const ERROR = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'recoverable'],
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        hint: { type: 'string' },
        recoverable: { type: 'boolean' },
        fields: { type: 'array', items: { type: 'object' } },
      },
    },
  },
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonRecord {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

function json(schema: JsonRecord): JsonRecord {
  return { content: { 'application/json': { schema } } }
}

/** The flat input of a route, told apart again: what stands in the path, then the query of a GET or the body. */
function describeInput(method: string, path: string, schema: JsonRecord): JsonRecord {
  const properties = asRecord(schema.properties) ?? {}
  const required = asArray(schema.required)
  const inPath = (name: string) => path.includes(`{${name}}`)
  const parameter = ([name, one]: [string, unknown]) => ({
    name,
    in: inPath(name) ? 'path' : 'query',
    required: inPath(name) || required.includes(name),
    schema: one,
  })
  const entries = Object.entries(properties)
  if (method !== 'POST') return { parameters: entries.map(parameter) }
  const body = entries.filter(([name]) => !inPath(name))
  const parameters = entries.filter(([name]) => inPath(name)).map(parameter)
  if (body.length === 0) return { parameters }
  const needed = required.filter((name) => !inPath(String(name)))
  const bodySchema = { ...schema, properties: Object.fromEntries(body), required: needed }
  return { parameters, requestBody: { required: needed.length > 0, ...json(bodySchema) } }
}
