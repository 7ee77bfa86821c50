import { change } from '../../contract/api/change.ts'
import { API_PREFIX, ROUTES, STREAMS } from '../../contract/api/routes.ts'
import { SCHEMAS } from '../../contract/api/schemas.ts'
import { asArray, asRecord, type JsonRecord } from '../../core/json.ts'
import { Components } from './openapi-components.ts'

/** The description of the API, from the one table of routes. */
export function openApiDocument(version: string): JsonRecord {
  const paths: Record<string, JsonRecord> = {}
  const components = new Components()
  for (const [name, { method, path, about }] of Object.entries(ROUTES)) {
    const schemas = Object.entries(SCHEMAS).find(([one]) => one === name)?.[1]
    if (schemas === undefined) continue
    const operation = {
      operationId: name,
      summary: about,
      ...describeInput(method, path, components.schemaOf(schemas.input, 'input')),
      responses: {
        200: { description: 'Done', ...json(components.schemaOf(schemas.output, 'output')) },
        default: { description: 'Refused', ...json({ $ref: '#/components/schemas/Error' }) },
      },
    }
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  for (const [name, { path, about }] of Object.entries(STREAMS)) {
    const parameters = [...parametersIn(path), ...(name === 'events' ? PLACE : [])]
    const schema = name === 'events' ? { [SSE]: { schema: components.schemaOf(change, 'output') } } : undefined
    const response = { description: about, ...(schema && { content: schema }) }
    const streamed = { operationId: name, summary: about, parameters, responses: { 200: response } }
    paths[path] = { ...paths[path], get: streamed }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'agent-mux daemon', version },
    servers: [{ url: API_PREFIX }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { ...components.all(), Error: ERROR },
    },
  }
}

const SSE = 'text/event-stream'

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
        fields: {
          type: 'array',
          items: {
            type: 'object',
            required: ['field', 'message', 'expected'],
            properties: { field: { type: 'string' }, message: { type: 'string' }, expected: { type: 'string' } },
          },
        },
      },
    },
  },
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
