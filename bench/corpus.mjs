import { randomUUID } from 'node:crypto'

/** A Claude Code stream as it looks with partial messages: mostly text deltas, some thinking and tool calls. */
export function* claudeStream(lineCount) {
  const session_id = randomUUID()
  const base = () => ({ session_id, parent_tool_use_id: null, uuid: randomUUID() })
  const line = (record) => JSON.stringify(record)
  const event = (one, message) => line({ type: 'stream_event', event: one, ...base(), api_message_id: message })
  yield line({
    type: 'system',
    subtype: 'init',
    cwd: '/workspace',
    tools: ['Bash', 'Write'],
    mcp_servers: [],
    model: 'claude-opus-5-5',
    permissionMode: 'default',
    claude_code_version: '2.1.325',
    ...base(),
  })
  let lines = 2
  for (let n = 0; lines < lineCount; n++) {
    const message = `msg_${n}`
    const start = { id: message, type: 'message', role: 'assistant', model: 'claude-opus-5-5', content: [], usage: {} }
    yield event({ type: 'message_start', message: start }, message)
    yield event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, message)
    const deltas = Math.min(500, lineCount - lines - 5)
    for (let i = 0; i < deltas; i++) {
      const text = `some words of the answer, number ${i}${i % 8 === 0 ? '\n' : ' '}`
      yield event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }, message)
    }
    yield event({ type: 'content_block_stop', index: 0 }, message)
    const usage = { output_tokens: 500 }
    yield event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }, message)
    yield event({ type: 'message_stop' }, message)
    lines += deltas + 5
  }
  yield line({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: 'done',
    num_turns: 1,
    total_cost_usd: 0.5,
    usage: { input_tokens: 1, output_tokens: 1 },
    modelUsage: {},
    permission_denials: [],
    terminal_reason: 'completed',
    ...base(),
  })
}
