import { asNumber, asRecord, asRecords, asString, type JsonRecord, parseRecord } from '../../src/core/json.ts'

/**
 * What a recording says, read by a few lines of code that share nothing with the adapters: the words of the answer, the
 * thoughts, the calls of tools by id and whether they failed, the tokens and the session.
 */
export interface RawFacts {
  text: string
  thinking: string
  /** By id. `null`: the record does not tell whether it failed, or the call has no end. */
  tools: Map<string, boolean | null>
  /** Input with the cache in it, and output with the thoughts in it. Null: not told. */
  tokens: [number, number] | null
  sessionId: string | null
}

type Reader = (facts: RawFacts, record: JsonRecord) => void

/** `a.b.c` of a record, or undefined. */
function at(record: JsonRecord, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => asRecord(value)?.[name], record)
}
const text = (record: JsonRecord, path: string): string => asString(at(record, path)) ?? ''
const count = (record: JsonRecord, path: string): number => asNumber(at(record, path)) ?? 0

/** Adds tokens that are told piece by piece. */
function addTokens(facts: RawFacts, input: number, output: number): void {
  if (input + output === 0) return
  facts.tokens = [(facts.tokens?.[0] ?? 0) + input, (facts.tokens?.[1] ?? 0) + output]
}

function claude(): Reader {
  const streamed = new Set<string>()
  const aborted = new Set<string>()
  return (facts, record) => {
    facts.sessionId ??= text(record, 'session_id') || null
    const isMain = typeof record.parent_tool_use_id !== 'string'
    // A request that was broken off was paid for, yet the sums of the result are without it.
    if (record.aborted === true && !aborted.has(text(record, 'message.id'))) {
      aborted.add(text(record, 'message.id'))
      const usage = asRecord(at(record, 'message.usage')) ?? {}
      const cached = count(usage, 'cache_read_input_tokens') + count(usage, 'cache_creation_input_tokens')
      addTokens(facts, count(usage, 'input_tokens') + cached, count(usage, 'output_tokens'))
    }
    if (record.type === 'stream_event' && isMain) {
      streamed.add(text(record, 'event.message.id'))
      facts.text += text(record, 'event.delta.text')
      facts.thinking += text(record, 'event.delta.thinking')
      if (at(record, 'event.content_block.type') === 'tool_use') {
        facts.tools.set(text(record, 'event.content_block.id'), null)
      }
    }
    if (record.type === 'result') {
      // The answer to a schema or of a slash command stands only here.
      if (facts.text === '' && record.is_error !== true) facts.text = text(record, 'result')
      for (const usage of Object.values(asRecord(record.model_usage_since_last_result ?? record.modelUsage) ?? {})) {
        const model = asRecord(usage) ?? {}
        const cached = count(model, 'cacheReadInputTokens') + count(model, 'cacheCreationInputTokens')
        addTokens(facts, count(model, 'inputTokens') + cached, count(model, 'outputTokens'))
      }
    }
    if (record.error !== undefined) return
    for (const block of asRecords(at(record, 'message.content'))) {
      if (block.type === 'tool_result') facts.tools.set(text(block, 'tool_use_id'), block.is_error === true)
      if (record.type !== 'assistant') continue
      if (block.type === 'tool_use') facts.tools.set(text(block, 'id'), null)
      if (!isMain || streamed.has(text(record, 'message.id'))) continue
      facts.text += text(block, 'text')
      facts.thinking += text(block, 'thinking')
    }
  }
}

/** Claude's records, but counts with every reply, and whole blocks after streamed ones without a common id. */
function qwen(): Reader {
  const streamed: string[] = []
  let hasMore = false
  let open = ''
  return (facts, record) => {
    facts.sessionId ??= text(record, 'session_id') || null
    const isMain = typeof record.parent_tool_use_id !== 'string'
    if (record.type === 'stream_event' && isMain) {
      const started = text(record, 'event.content_block.type')
      if (started !== '') {
        open = ''
        streamed.push(started)
      }
      open += text(record, 'event.delta.text')
      if (!open.startsWith('[API Error')) facts.text += text(record, 'event.delta.text')
      facts.thinking += text(record, 'event.delta.thinking')
      if (started === 'tool_use') facts.tools.set(text(record, 'event.content_block.id'), null)
    }
    for (const block of asRecords(at(record, 'message.content'))) {
      if (block.type === 'tool_result') facts.tools.set(text(block, 'tool_use_id'), block.is_error === true)
      if (record.type !== 'assistant') continue
      if (block.type === 'tool_use' && !facts.tools.has(text(block, 'id'))) facts.tools.set(text(block, 'id'), null)
      if (isMain && streamed[0] === block.type) streamed.shift()
      else if (isMain) {
        facts.text += text(block, 'text').startsWith('[API Error') ? '' : text(block, 'text')
        facts.thinking += text(block, 'thinking')
      }
    }
    if (record.type === 'assistant') {
      addTokens(facts, count(record, 'message.usage.input_tokens'), count(record, 'message.usage.output_tokens'))
    }
    // Requests of sub-agents and those that were tried again are in no message, but in the sum.
    hasMore ||= !isMain || record.subtype === 'retry'
    if (record.type === 'result' && hasMore && count(record, 'usage.input_tokens') > 0) {
      facts.tokens = [count(record, 'usage.input_tokens'), count(record, 'usage.output_tokens')]
    }
  }
}

function codex(): Reader {
  return (facts, record) => {
    facts.sessionId ??= text(record, 'thread_id') || null
    const id = text(record, 'item.id')
    switch (record.type === 'item.completed' || record.type === 'item.started' ? text(record, 'item.type') : '') {
      case 'agent_message':
        if (record.type === 'item.completed') facts.text += text(record, 'item.text')
        break
      case 'reasoning':
        if (record.type === 'item.completed') facts.thinking += text(record, 'item.text')
        break
      case 'command_execution':
      case 'mcp_tool_call':
      case 'file_change':
        facts.tools.set(id, record.type === 'item.completed' ? text(record, 'item.status') !== 'completed' : null)
    }
    if (record.type === 'turn.completed') {
      addTokens(facts, count(record, 'usage.input_tokens'), count(record, 'usage.output_tokens'))
    }
  }
}

function gemini(): Reader {
  return (facts, record) => {
    facts.sessionId ??= text(record, 'session_id') || null
    if (record.type === 'message' && record.role === 'assistant') facts.text += text(record, 'content')
    if (record.type === 'tool_use') facts.tools.set(text(record, 'tool_id'), null)
    if (record.type === 'tool_result') facts.tools.set(text(record, 'tool_id'), record.status === 'error')
    const stats = record.type === 'result' ? asRecord(record.stats) : undefined
    // The total counts the thoughts, the output does not.
    if (stats)
      addTokens(facts, count(stats, 'input_tokens'), count(stats, 'total_tokens') - count(stats, 'input_tokens'))
  }
}

function copilot(): Reader {
  const whole = new Set<string>()
  return (facts, record) => {
    facts.sessionId ??= text(record, 'sessionId') || null
    const isMain = record.agentId === undefined && at(record, 'data.parentToolCallId') === undefined
    if (isMain && record.type === 'assistant.message_delta') {
      facts.text += text(record, 'data.deltaContent')
      whole.add(text(record, 'data.messageId'))
    }
    if (isMain && record.type === 'assistant.message' && !whole.has(text(record, 'data.messageId'))) {
      facts.text += text(record, 'data.content')
    }
    if (record.type === 'tool.execution_start') facts.tools.set(text(record, 'data.toolCallId'), null)
    if (record.type === 'tool.execution_complete') {
      facts.tools.set(text(record, 'data.toolCallId'), at(record, 'data.success') === false)
    }
  }
}

/** OpenCode's, and Kilo's. */
function opencode(): Reader {
  return (facts, record) => {
    facts.sessionId ??= text(record, 'sessionID') || null
    if (record.type === 'text') facts.text += text(record, 'part.text')
    if (record.type === 'reasoning') facts.thinking += text(record, 'part.text')
    if (record.type === 'tool_use') {
      facts.tools.set(text(record, 'part.callID'), text(record, 'part.state.status') === 'error')
    }
    if (record.type !== 'step_finish') return
    const cached = count(record, 'part.tokens.cache.read') + count(record, 'part.tokens.cache.write')
    const output = count(record, 'part.tokens.output') + count(record, 'part.tokens.reasoning')
    addTokens(facts, count(record, 'part.tokens.input') + cached, output)
  }
}

/** Pi's, both versions, and omp's. */
function pi(): Reader {
  return (facts, record) => {
    if (record.type === 'session') facts.sessionId = text(record, 'id')
    if (record.type === 'tool_execution_start') facts.tools.set(text(record, 'toolCallId'), null)
    if (record.type === 'tool_execution_end') {
      facts.tools.set(text(record, 'toolCallId'), record.isError === true)
      // Of the sub-agents that the call has run.
      const used = 'result.details.usage'
      const cached = count(record, `${used}.cacheRead`) + count(record, `${used}.cacheWrite`)
      if (at(record, used)) addTokens(facts, count(record, `${used}.input`) + cached, count(record, `${used}.output`))
    }
    const piece = text(record, 'assistantMessageEvent.type')
    if (piece === 'text_delta') facts.text += text(record, 'assistantMessageEvent.delta')
    if (piece === 'thinking_delta') facts.thinking += text(record, 'assistantMessageEvent.delta')
    if (record.type !== 'message_end' || at(record, 'message.role') !== 'assistant') return
    const cached = count(record, 'message.usage.cacheRead') + count(record, 'message.usage.cacheWrite')
    addTokens(facts, count(record, 'message.usage.input') + cached, count(record, 'message.usage.output'))
  }
}

function grok(): Reader {
  return (facts, record) => {
    facts.sessionId ??= text(record, 'sessionId') || null
    if (record.type === 'text') facts.text += text(record, 'data')
    if (record.type === 'thought') facts.thinking += text(record, 'data')
    if (record.type === 'tool_call') facts.tools.set(text(record, 'toolCallId'), null)
    if (record.type === 'tool_call_update' && (record.status === 'completed' || record.status === 'failed')) {
      facts.tools.set(text(record, 'toolCallId'), record.status === 'failed')
    }
    // What sub-agents use stands beside their replies, and not in the sum at the end.
    if (record.type !== 'usage') return
    const cached = count(record, 'usage.cache_read_input_tokens') + count(record, 'usage.cache_creation_input_tokens')
    addTokens(facts, count(record, 'usage.input_tokens') + cached, count(record, 'usage.output_tokens'))
  }
}

function droid(): Reader {
  return (facts, record) => {
    facts.sessionId ??= text(record, 'session_id') || null
    // Its last word on a refused call is no answer.
    if (
      record.type === 'message' &&
      record.role === 'assistant' &&
      !text(record, 'text').startsWith('Exec ended early')
    ) {
      facts.text += text(record, 'text')
    }
    // With what came before, told again.
    if (record.type === 'reasoning') facts.thinking = text(record, 'text')
    if (record.type === 'tool_call') facts.tools.set(text(record, 'id'), null)
    if (record.type === 'tool_result') facts.tools.set(text(record, 'id'), record.isError === true)
    if (record.type !== 'completion') return
    const cached = count(record, 'usage.cache_read_input_tokens') + count(record, 'usage.cache_creation_input_tokens')
    addTokens(facts, count(record, 'usage.input_tokens') + cached, count(record, 'usage.output_tokens'))
  }
}

function kimi(): Reader {
  return (facts, record) => {
    facts.sessionId ??= text(record, 'session_id') || null
    if (record.role === 'assistant') facts.text += text(record, 'content')
    for (const call of asRecords(record.tool_calls)) facts.tools.set(text(call, 'id'), null)
  }
}

function cline(): Reader {
  const subagents = new Set<string>()
  return (facts, record) => {
    const event = asRecord(record.event) ?? {}
    if (record.hookEventName === 'agent_start' && record.parentAgentId) subagents.add(text(record, 'agentId'))
    if (record.hookEventName === 'agent_end') subagents.delete(text(record, 'agentId'))
    if (event.type === 'content_start') {
      const isMain = subagents.size === 0
      if (isMain && event.contentType === 'text') facts.text += text(event, 'text')
      if (isMain && event.contentType === 'reasoning') facts.thinking += text(event, 'reasoning')
      if (event.contentType === 'tool') facts.tools.set(text(event, 'toolCallId'), null)
    }
    if (event.type === 'content_end' && event.contentType === 'tool') {
      facts.tools.set(text(event, 'toolCallId'), event.error !== undefined ? true : null)
    }
    if (event.type === 'usage') addTokens(facts, count(event, 'inputTokens'), count(event, 'outputTokens'))
  }
}

const READERS: Readonly<Record<string, () => Reader>> = {
  claude,
  qwen,
  codex,
  gemini,
  copilot,
  opencode,
  kilo: opencode,
  pi,
  omp: pi,
  grok,
  droid,
  kimi,
  cline,
}

/** The records of a one-way stream; null for a live protocol, and for an answer that is one document. */
function streamOf(agent: string, stdout: string): JsonRecord[] | null {
  const records = stdout.split('\n').flatMap((line): JsonRecord[] => asRecords([parseRecord(line)]))
  const first = records.find((record) => record.type !== 'available_commands')
  if (first === undefined || first.dir !== undefined || first.jsonrpc !== undefined) return null
  if (agent === 'codex' && records.some((record) => record.method !== undefined)) return null
  if (agent === 'grok' && first.type === 'system') return null
  return records.length === 1 && (first.type === 'result' || first.type === undefined) ? null : records
}

/** Null for an agent or a form that it has no reader for. */
export function rawFacts(agent: string, stdout: string): RawFacts | null {
  const create = READERS[agent]
  const records = streamOf(agent, stdout)
  if (create === undefined || records === null) return null
  const facts: RawFacts = { text: '', thinking: '', tools: new Map(), tokens: null, sessionId: null }
  const read = create()
  for (const record of records) read(facts, record)
  return facts
}
