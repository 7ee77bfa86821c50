import { change } from '../../contract/api/change.ts'
import { API_PREFIX, ROUTES, STREAMS } from '../../contract/api/routes.ts'
import { SCHEMAS } from '../../contract/api/schemas.ts'
import { ERROR_CODES } from '../../contract/errors.ts'
import { asArray, asRecord, type JsonRecord } from '../../core/json.ts'
import { Components, reference } from './openapi-components.ts'

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
        default: REFUSED,
      },
    }
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  const content = streamContent(components.schemaOf(change, 'output'))
  for (const [name, { path, about }] of streams) {
    const parameters = [...parametersIn(path), ...(name === 'events' ? PLACE : [])]
    const streamed = { operationId: name, summary: about, parameters, ...answers(name, about, content) }
    paths[path] = { ...paths[path], get: streamed }
  }
  addStream(paths, content.events)
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

type Stream = keyof typeof STREAMS
const streams = Object.entries(STREAMS) as [Stream, { path: string; about: string }][]

/** What each stream answers with. A terminal is not HTTP once it is open: its messages are named beside it. */
function streamContent(changed: JsonRecord): Record<Exclude<Stream, 'terminal'>, JsonRecord> {
  return {
    events: { 'text/event-stream': { schema: changed } },
    blob: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
    openapi: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
  }
}

const REFUSED = { description: 'Refused', ...json(reference('Error')) }

function answers(name: Stream, about: string, content: ReturnType<typeof streamContent>): JsonRecord {
  if (name !== 'terminal') {
    return { responses: { 200: { description: about, content: content[name] }, default: REFUSED } }
  }
  const messages = { sends: reference('TerminalMessage'), takes: reference('TerminalInput') }
  return { responses: { 101: { description: about }, default: REFUSED }, 'x-websocket': messages }
}

/** The events of one session come as a stream, too, if the request accepts one. */
function addStream(paths: Record<string, JsonRecord>, stream: JsonRecord): void {
  const operation = asRecord(paths[ROUTES.sessionEvents.path]?.get)
  const answer = asRecord(asRecord(operation?.responses)?.[200])
  if (!operation || !answer) return
  answer.content = { ...asRecord(answer.content), ...stream }
  operation.parameters = [...asArray(operation.parameters), LAST_EVENT_ID]
}

const ID_FORM = { type: 'string', description: 'The id of the last event, as it came' }
const LAST_EVENT_ID = { name: 'Last-Event-ID', in: 'header', required: false, schema: ID_FORM }

/** Where a reader of a stream wants to go on. */
const PLACE = [{ name: 'after', in: 'query', required: false, schema: ID_FORM }, LAST_EVENT_ID]

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
        code: { type: 'string', enum: ERROR_CODES },
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

/** Splits the flat input of a route: what is in the path, then the query of a GET or the body. */
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
