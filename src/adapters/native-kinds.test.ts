import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Effect } from '../contract/dialogue.ts'
import type { JsonRecord } from '../core/json.ts'
import { loadAdapterFor } from './index.ts'

// What each kind of native record becomes, by the CLI's own list of them, in `<agent>/fixtures/kinds/<cli version>.jsonl`:
// `kind` is the CLI's name, `gives` what we make of it ('' is nothing, on purpose), `record` one of that kind where the name
// alone does not make one, `after` what came before. `node conformance/native-kinds.mjs` finds kinds that have no line.
const here = import.meta.dirname

interface Line {
  kind: string
  gives: string
  record?: JsonRecord
  after?: JsonRecord[]
}

interface Wire {
  /** What a recording has before the record in question. */
  opening: JsonRecord[]
  recordOf(kind: string): JsonRecord
}

function typeAndSubtype(kind: string): JsonRecord {
  const [type, subtype] = kind.split('/')
  return { type, subtype, session_id: 's' }
}

const CLAUDE: Wire = { opening: [{ type: 'system', subtype: 'init', session_id: 's' }], recordOf: typeAndSubtype }

const THREAD = { threadId: 't', turnId: 'u' }
const CODEX: Wire = {
  opening: [
    { method: 'thread/started', params: { thread: { id: 't' } } },
    { method: 'turn/started', params: { threadId: 't', turn: { id: 'u' } } },
  ],
  recordOf(kind) {
    const [family, name] = kind.split(':')
    if (family === 'item') return { method: 'item/completed', params: { ...THREAD, item: { id: 'i', type: name } } }
    return family === 'request' ? { id: 7, method: name, params: THREAD } : { method: kind, params: THREAD }
  },
}

const OPENCODE_SERVER: Wire = {
  opening: [
    { type: 'message.updated', properties: { sessionID: 'ses', info: { id: 'msg_0', role: 'user' } } },
    { type: 'session.status', properties: { sessionID: 'ses', status: { type: 'busy' } } },
  ],
  recordOf(kind) {
    const [family, type] = kind.split('/')
    if (family !== 'part') return { type: kind, properties: { sessionID: 'ses' } }
    return {
      type: 'message.part.updated',
      properties: { sessionID: 'ses', part: { id: 'prt', messageID: 'msg', type } },
    }
  },
}

/** `family/name`: the name is in a record of its own inside. */
function nested(family: string, inside: (name: string) => JsonRecord): Wire['recordOf'] {
  return (kind) => {
    const [type, name = ''] = kind.split('/')
    return type === family ? inside(name) : { type }
  }
}

const DROID: Wire = {
  opening: [],
  recordOf: nested('notification', (type) => ({
    jsonrpc: '2.0',
    method: 'droid.session_notification',
    params: { notification: { type } },
  })),
}

const PLAIN: Wire = { opening: [], recordOf: (type) => ({ type }) }

const WIRES: Readonly<Record<string, Wire>> = {
  claude: CLAUDE,
  qoder: CLAUDE,
  qwen: CLAUDE,
  codex: CODEX,
  copilot: { opening: [{ type: 'user.message', data: {} }], recordOf: (type) => ({ type, data: {} }) },
  gemini: { opening: [{ type: 'init', session_id: 's' }], recordOf: (type) => ({ type }) },
  opencode: { opening: [{ type: 'step_start', sessionID: 'ses', part: {} }], recordOf: (type) => ({ type }) },
  'opencode-http': OPENCODE_SERVER,
  pi: { opening: [{ type: 'agent_start' }], recordOf: (type) => ({ type }) },
  omp: { opening: [{ type: 'agent_start' }], recordOf: (type) => ({ type }) },
  cline: { opening: [], recordOf: nested('agent_event', (type) => ({ type: 'agent_event', event: { type } })) },
  droid: DROID,
  grok: { opening: [{ type: 'available_commands' }], recordOf: (type) => ({ type }) },
  kilo: { opening: [{ type: 'step_start', sessionID: 'ses', part: {} }], recordOf: (type) => ({ type }) },
  kimi: { opening: [{ role: 'meta', type: 'system.version' }], recordOf: (type) => ({ role: 'meta', type }) },
  letta: {
    opening: [{ type: 'system', subtype: 'init', conversation_id: 'c' }],
    recordOf: nested('message', (message_type) => ({ type: 'message', message_type })),
  },
}

function nameOf(effect: Effect): string {
  if ('emit' in effect) return effect.emit.type
  if ('unrecognized' in effect) return `unrecognized:${effect.unrecognized}`
  if (!('fail' in effect)) return Object.keys(effect)[0] ?? ''
  const { outcome } = effect.fail
  return `fail:${outcome.kind === 'failed' ? outcome.code : outcome.kind}`
}

const tables = readdirSync(here).flatMap((agent) => {
  const directory = join(here, agent, 'fixtures/kinds')
  const names = existsSync(directory) ? readdirSync(directory) : []
  return names.map((name) => ({ agent, version: name.replace('.jsonl', ''), file: join(directory, name) }))
})

function linesOf(file: string): Line[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line))
}

test.each(tables)('every kind of $agent $version is read as its table says', async ({ agent, file }) => {
  const adapter = await loadAdapterFor(agent, {})
  const wire = WIRES[agent] ?? PLAIN
  const lines = linesOf(file)
  const read = lines.map(({ kind, record, after = [] }) => {
    const dialogue = adapter.createDialogue?.({ agent: adapter.agent, prompt: '', nonInteractive: true })
    const tell = (native: JsonRecord): Effect[] => dialogue?.onLine(JSON.stringify(native), 'stdout') ?? []
    for (const native of [...wire.opening, ...after]) tell(native)
    return `${kind}: ${tell(record ?? wire.recordOf(kind))
      .map(nameOf)
      .join(' ')}`
  })
  expect(read).toEqual(lines.map(({ kind, gives }) => `${kind}: ${gives}`))
})

test('a kind that no table knows would show', async () => {
  for (const [agent, { opening, recordOf }] of Object.entries(WIRES)) {
    const adapter = await loadAdapterFor(agent, {})
    const dialogue = adapter.createDialogue?.({ agent: adapter.agent, prompt: '', nonInteractive: true })
    for (const native of opening) dialogue?.onLine(JSON.stringify(native), 'stdout')
    const effects = dialogue?.onLine(JSON.stringify(recordOf('brand_new_kind')), 'stdout') ?? []
    expect([agent, effects.map(nameOf).some((name) => name.startsWith('unrecognized:'))]).toEqual([agent, true])
  }
})
