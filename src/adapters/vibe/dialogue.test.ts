import { describe, expect, test } from 'vitest'
import type { Effect } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { asRecord, type JsonRecord, parseRecord } from '../../core/json.ts'
import adapter from './index.ts'

const MODES = ['ask', 'accept-edits', 'auto-approve'].map((id) => ({ id, name: id }))
const sessionId = 's'

function counted(promptTokens: number, completionTokens: number): JsonRecord {
  const _meta = { promptTokens, completionTokens, cachedTokens: 0, totalTokens: promptTokens + completionTokens }
  return update({ sessionUpdate: 'usage_update', used: 1, size: 2, _meta })
}

const update = (content: JsonRecord) => ({ method: 'session/update', params: { sessionId, update: content } })

/** A run that is talked to; every request but the prompt is answered at once. */
function begin(options: Partial<RunOptions>, onOpen: JsonRecord[] = []) {
  const all: RunOptions = { agent: 'vibe', prompt: 'x', ...options }
  const dialogue = adapter.createDialogue(all)
  const asked: JsonRecord[] = []
  const say = (record: JsonRecord): Effect[] =>
    follow(dialogue.onLine(JSON.stringify({ jsonrpc: '2.0', ...record }), 'stdout'))
  function follow(effects: Effect[]): Effect[] {
    for (const effect of effects) {
      const sent = 'write' in effect ? parseRecord(String(effect.write)) : null
      if (!sent) continue
      asked.push(sent)
      if (sent.method === 'initialize') say({ id: sent.id, result: { agentCapabilities: { loadSession: true } } })
      else if (sent.method === 'session/new' || sent.method === 'session/load') {
        for (const record of onOpen) say(record)
        const modes = { currentModeId: 'accept-edits', availableModes: MODES }
        say({ id: sent.id, result: { sessionId, modes, configOptions: [] } })
        say(update({ sessionUpdate: 'available_commands_update', availableCommands: [] }))
      } else if (sent.method !== 'session/prompt') say({ id: sent.id, result: {} })
    }
    return effects
  }
  follow(dialogue.start(all))
  return {
    say,
    sent: (method: string) => asked.filter((one) => one.method === method).map((one) => asRecord(one.params)),
  }
}

describe('dialogue', () => {
  test('files are not edited unasked in the mode that asks', () => {
    expect(begin({}).sent('session/set_mode')).toMatchObject([{ modeId: 'ask' }])
    expect(begin({ approvalMode: 'yolo' }).sent('session/set_mode')).toMatchObject([{ modeId: 'auto-approve' }])
    expect(begin({ approvalMode: 'accept-edits' }).sent('session/set_mode')).toEqual([])
  })

  test('the limit of turns is set before the prompt', () => {
    const run = begin({ maxTurns: 2 })
    expect(run.sent('session/set_config_option')).toMatchObject([{ configId: 'max_turns', value: '2' }])
    expect(run.sent('session/prompt')).toHaveLength(1)
  })

  test('each request is counted as it is over, without what a resumed session had used before', () => {
    const run = begin({ sessionId }, [counted(1000, 100)])
    expect(run.sent('session/prompt')).toHaveLength(1)
    const usage = { type: 'token_usage', inputTokens: 50, outputTokens: 5 }
    expect(run.say(counted(1050, 105))).toMatchObject([{ emit: usage }])
    expect(run.say(counted(1050, 105))).toEqual([])
  })

  test('what an old session had used is not counted when it is reported late', () => {
    const run = begin({ sessionId })
    expect(run.say(counted(1000, 100))).toEqual([])
    expect(run.say(counted(1001, 100))).toMatchObject([{ emit: { type: 'token_usage', inputTokens: 1 } }])
  })

  test('its retries are reported, and which of them are a limit', () => {
    const run = begin({})
    const retrying = (detail: string) => run.say({ method: '_session/retrying', params: { sessionId, detail } })
    expect(retrying('HTTP 503')).toMatchObject([{ emit: { type: 'retry', attempt: 1, reason: 'HTTP 503' } }])
    expect(retrying('HTTP 429')).toMatchObject([
      { emit: { type: 'rate_limited' } },
      { emit: { type: 'retry', attempt: 2, reason: 'HTTP 429' } },
    ])
  })
})
