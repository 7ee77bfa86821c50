import { asNumber, asRecord, type JsonRecord, parseRecord } from '../../core/json.ts'
import type { TurnRecord } from '../families/acp/profile.ts'
import { SessionReader } from './sessions.ts'

/** The prompt tokens of a turn as the protocol reports them. */
function reportedInput({ _meta }: JsonRecord): number {
  const counts = asRecord(asRecord(asRecord(_meta)?.quota)?.token_count)
  return asNumber(counts?.input_tokens) ?? 0
}

/**
 * By ACP the CLI (0.61) reports how many tokens went in and came out, but not how many of them were thoughts, which it
 * leaves out of the sum, nor how many came from the cache. It does not say that a response broke off and was asked for
 * again, and calls a turn a success when it has given up on that. Its transcript holds all of it. A resume goes on in a
 * copy.
 */
export const turnRecord: TurnRecord = {
  file: (sessionId) => ({
    type: 'read_own_file',
    variable: 'GEMINI_CLI_HOME',
    home: '',
    path: `.gemini/tmp/*/chats/session-*-${sessionId.slice(0, 8)}*.jsonl`,
  }),
  read(text, result) {
    const reader = new SessionReader()
    for (const line of text.split('\n')) {
      const record = parseRecord(line)
      if (record) reader.line(record)
    }
    const { messages } = reader
    const start = messages.findLastIndex(({ role }) => role === 'user')
    const said = messages.slice(start + 1)
    const usage = said.flatMap(({ tokenUsage, model }) => {
      if (!tokenUsage) return []
      const { totalTokens: _total, ...counts } = tokenUsage
      return [{ counts, model }]
    })
    const input = usage.reduce((sum, { counts }) => sum + counts.inputTokens, 0)
    if (start === -1 || input < reportedInput(result)) return null
    const sinceTools = said.slice(said.findLastIndex(({ toolCalls }) => toolCalls !== undefined) + 1)
    const answer = sinceTools.map(({ content }) => content).join('')
    const isUnanswered = answer === '' && result.stopReason === 'end_turn'
    return { turn: String(start), usage, answer, isUnanswered }
  },
  // It takes the prompt out of the conversation again, and has counted nothing.
  hasGivenUp: (result) => result.stopReason === 'end_turn' && reportedInput(result) === 0,
}
