import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createClientIn } from '../mux/client.ts'

const FIXTURES = join(import.meta.dirname, '..', 'adapters')

let home: string
const open: { close(): void }[] = []

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'amux-sessions-'))
})

afterEach(() => {
  for (const sessions of open.splice(0)) sessions.close()
  rmSync(home, { recursive: true, force: true })
})

function sessionsAt() {
  const { sessions } = createClientIn({ HOME: home, PATH: process.env.PATH })
  open.push(sessions)
  return sessions
}

function put(fixture: string, path: string): string {
  const target = join(home, path)
  mkdirSync(dirname(target), { recursive: true })
  cpSync(join(FIXTURES, fixture), target)
  return target
}

function write(path: string, ...records: object[]): void {
  const target = join(home, path)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
}

const ORIGIN = 'aaaaaaaa-bbbb-4ccc-8ddd-000000000001'
const FORK = '5c20a50c-5bed-4e0f-ae09-d8b2e11d981f'
const CODEX_ORIGIN = '01a1e098-1c8d-7950-9a2c-085ca2bfbc8f'
const CODEX_FORK = '01a1e09a-18bc-7dd2-97f4-b29fcfe8ba78'

function putClaude(): void {
  put('claude/fixtures/sessions/forked.jsonl', `.claude/projects/-workspace/${FORK}.jsonl`)
  put('claude/fixtures/sessions/resumed.jsonl', `.claude/projects/-workspace/${ORIGIN}.jsonl`)
}

function putCodex(): void {
  const folder = '.codex/sessions/2026/11/15'
  put('codex/fixtures/sessions/s-resume.jsonl', `${folder}/rollout-2026-11-15T19-03-47-${CODEX_ORIGIN}.jsonl`)
  put('codex/fixtures/sessions/s-fork.jsonl', `${folder}/rollout-2026-11-15T19-05-57-${CODEX_FORK}.jsonl`)
}

describe('numbers', () => {
  test('a fork of Claude costs its own turns: three requests before it, and one of its own', async () => {
    putClaude()
    const sessions = sessionsAt()
    const { breakdowns, ...total } = await sessions.totalCost({ groupBy: 'session' })
    expect(total).toMatchObject({ inputTokens: 4 * 1150, outputTokens: 4 * 25, cacheReadTokens: 4000, sessionCount: 2 })
    // 0.00399 for the three of the origin, and a third of the fork's own sum of 0.00399.
    expect(total.totalUsd).toBeCloseTo(4 * 0.00133, 10)
    expect(breakdowns?.[`claude:${FORK}`]).toMatchObject({ outputTokens: 25, cacheCreationTokens: 30 })
    expect(breakdowns?.[`claude:${FORK}`]?.totalUsd).toBeCloseTo(0.00133, 10)
    expect((await sessions.list('claude')).map(({ sessionId, forkedFrom }) => [sessionId, forkedFrom])).toEqual([
      [ORIGIN, undefined],
      [FORK, ORIGIN],
    ])
  })

  test('the sub-agents of a session count for it', async () => {
    const main = 'aaf61c5f-469b-4fa6-89e7-6952cb39c99e'
    put('claude/fixtures/sessions/tool.jsonl', `.claude/projects/-workspace/${main}.jsonl`)
    put('claude/fixtures/sessions/subagent.jsonl', `.claude/projects/-workspace/${main}/subagents/agent-a1.jsonl`)
    const { breakdowns, sessionCount } = await sessionsAt().totalCost({ groupBy: 'session' })
    expect(sessionCount).toBe(1)
    expect(breakdowns?.[`claude:${main}`]).toMatchObject({ outputTokens: 2 * 25 + 2 * 25 })
  })

  test('a sub-agent of Kimi has the id of its session, and counts once', async () => {
    const folder = '.kimi-code/sessions/wd_project_3ec2afd16eb6/session_1/agents'
    const request = (agentId: string, output: number) => ({
      ...{ type: 'usage.record', agentId, model: 'kimi-k3', time: 1794798312774 },
      usage: { inputOther: 100, output, inputCacheRead: 0, inputCacheCreation: 0 },
    })
    const prompt = { role: 'user', content: [{ type: 'text', text: 'hello' }], origin: { kind: 'user' } }
    write(`${folder}/main/wire.jsonl`, { type: 'context.append_message', message: prompt, time: 1 }, request('main', 3))
    write(`${folder}/agent-0/wire.jsonl`, request('agent-0', 20))
    const { breakdowns, outputTokens } = await sessionsAt().totalCost({ agent: 'kimi', groupBy: 'session' })
    expect(outputTokens).toBe(23)
    expect(breakdowns?.['kimi:session_1']).toMatchObject({ inputTokens: 200, outputTokens: 23 })
  })

  test('a sub-agent of Droid has a file of its own, and is in the sum of its session besides', async () => {
    const [main, helper] = ['5dae27a9-fe76-4106-8b71-3c8adfa9935f', '32d34123-b72d-455b-b3dc-2f4add1057cb']
    const folder = '.factory/sessions/-workspace'
    const message = { role: 'user', content: [{ type: 'text', text: 'hello' }] }
    const said = { type: 'message', timestamp: '2026-11-16T03:04:28.298Z', message }
    const counts = (outputTokens: number) => ({ inputTokens: 100, outputTokens, cacheReadTokens: 0 })
    write(`${folder}/${main}.jsonl`, { type: 'session_start', id: main }, said)
    write(`${folder}/${main}.settings.json`, { tokenUsage: counts(800), inclusiveTokenUsage: counts(825) })
    write(`${folder}/${helper}.jsonl`, { type: 'session_start', id: helper, callingSessionId: main }, said)
    write(`${folder}/${helper}.settings.json`, { tokenUsage: counts(25), inclusiveTokenUsage: counts(25) })
    const sessions = sessionsAt()
    const { breakdowns, sessionCount } = await sessions.totalCost({ agent: 'droid', groupBy: 'session' })
    expect(sessionCount).toBe(1)
    expect(breakdowns?.[`droid:${main}`]).toMatchObject({ inputTokens: 200, outputTokens: 825 })
    expect((await sessions.list('droid')).map(({ sessionId }) => sessionId)).toEqual([main])
  })

  test('a session of Grok counts its sub-agents, who have files of their own', async () => {
    const folder = '.grok/sessions/%2Fworkspace'
    const turn = (outputTokens: number) => ({
      endedAt: `2026-11-16T03:41:38.78484258${outputTokens}+00:00`,
      modelUsage: { m: { inputTokens: 100, outputTokens } },
    })
    const said = { type: 'user', content: '<user_query>hello</user_query>' }
    const info = (id: string) => ({
      info: { id },
      created_at: '2026-11-16T03:41:03Z',
      updated_at: '2026-11-16T03:41:04Z',
    })
    write(`${folder}/main/chat_history.jsonl`, said)
    write(`${folder}/main/summary.json`, info('main'))
    write(`${folder}/main/usage.json`, { turns: [turn(9)] })
    write(`${folder}/helper/chat_history.jsonl`, said)
    write(`${folder}/helper/summary.json`, { ...info('helper'), session_kind: 'subagent' })
    write(`${folder}/helper/usage.json`, { turns: [turn(2)] })
    const sessions = sessionsAt()
    expect(await sessions.totalCost({ agent: 'grok' })).toMatchObject({ outputTokens: 9, sessionCount: 1 })
    expect((await sessions.list('grok')).map(({ sessionId }) => sessionId)).toEqual(['main'])
  })

  test("Qwen reports a sub-agent's request beside the conversation", async () => {
    const id = '767a8eb5-b832-4a24-a5c4-0b7634706d59'
    const base = { sessionId: id, timestamp: '2026-11-16T03:20:31.042Z' }
    const response = (response_id: string, prompt: string, output_token_count: number) => ({
      ...{ ...base, uuid: response_id, type: 'system', subtype: 'ui_telemetry' },
      systemPayload: {
        uiEvent: {
          ...{ 'event.name': 'qwen-code.api_response', response_id, prompt_id: `${id}#${prompt}`, model: 'm' },
          ...{ input_token_count: 100, output_token_count, cached_content_token_count: 0, thoughts_token_count: 0 },
        },
      },
    })
    write(
      `.qwen/projects/-x/chats/${id}.jsonl`,
      { ...base, uuid: 'u1', type: 'user', message: { parts: [{ text: 'hello' }] } },
      response('r1', '#######1', 300),
      {
        ...{ ...base, uuid: 'a1', type: 'assistant', model: 'm', message: { parts: [{ text: 'hi' }] } },
        usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 300 },
      },
      response('r2', 'general-purpose-call_1#0', 25),
    )
    expect(await sessionsAt().totalCost({ agent: 'qwen' })).toMatchObject({ inputTokens: 200, outputTokens: 325 })
  })

  test('Codex counts per request, and a fork does not count its origin', async () => {
    putCodex()
    const sessions = sessionsAt()
    const { breakdowns, outputTokens } = await sessions.totalCost({ agent: 'codex', groupBy: 'session' })
    expect(outputTokens).toBe(5 * 45)
    expect(breakdowns?.[`codex:${CODEX_FORK}`]).toMatchObject({ inputTokens: 2 * 1150, cacheReadTokens: 2000 })
    expect(breakdowns?.[`codex:${CODEX_ORIGIN}`]).toMatchObject({ inputTokens: 3 * 1150, thinkingTokens: 3 * 20 })
  })

  test('without a price there is no cost, not even 0', async () => {
    putCodex()
    const { totalUsd, unpricedTokens, unpricedModels } = await sessionsAt().totalCost({ agent: 'codex' })
    if (unpricedModels.length > 0)
      expect({ totalUsd, unpricedTokens }).toEqual({ totalUsd: null, unpricedTokens: 5 * 1195 })
  })
})

describe('runs of ours', () => {
  test('their tags are those of their sessions, and they are counted', async () => {
    putClaude()
    putCodex()
    const data = join(home, 'data')
    const { sessions } = createClientIn({ HOME: home, PATH: process.env.PATH, AGENT_MUX_DATA_DIR: data })
    open.push(sessions)
    const run = (sessionId: string, tags: string[], timestamp: string) => ({
      ...{ v: 1, runId: 'r', agent: 'claude', sessionId, timestamp, tags },
    })
    write(
      'data/run-index.jsonl',
      run(ORIGIN, ['night'], '2026-11-15T01:00:00Z'),
      run(ORIGIN, ['night', 'blue'], '2026-11-15T02:00:00Z'),
      run('gone', ['night'], '2026-11-15T03:00:00Z'),
      { v: 2 },
    )
    appendFileSync(join(data, 'run-index.jsonl'), '{"v":1,"torn')
    const tagged = await sessions.list(null, { tags: ['blue', 'other'] })
    expect(tagged.map(({ sessionId, tags }) => [sessionId, tags])).toEqual([[ORIGIN, ['night', 'blue']]])
    expect((await sessions.get('claude', ORIGIN)).tags).toEqual(['night', 'blue'])
    expect((await sessions.get('claude', FORK)).tags).toEqual([])
    const { runCount, sessionCount, breakdowns } = await sessions.totalCost({ groupBy: 'tag' })
    expect({ runCount, sessionCount }).toEqual({ runCount: 2, sessionCount: 4 })
    expect(Object.entries(breakdowns ?? {}).map(([tag, one]) => [tag, one.sessionCount])).toEqual([
      ['night', 1],
      ['blue', 1],
      ['untagged', 3],
    ])
    const since = Date.parse('2026-11-15T01:30:00Z')
    expect(await sessions.totalCost({ tags: ['night'], since })).toMatchObject({ runCount: 1, sessionCount: 1 })
  })
})

describe('who says what it cost', () => {
  test('the agent, list prices, or nobody', async () => {
    putClaude()
    putCodex()
    const sessions = sessionsAt()
    const { breakdowns } = await sessions.totalCost({ groupBy: 'agent' })
    expect(breakdowns?.claude).toMatchObject({ source: 'reported' })
    const listed = await sessions.list('claude')
    expect(listed.map(({ cost, costSource }) => [cost?.source, costSource])).toEqual([
      ['agent', 'reported'],
      ['agent', 'reported'],
    ])
    const [codex] = await sessions.list('codex')
    const isPriced = breakdowns?.codex?.totalUsd !== null
    expect(codex?.costSource).toBe(isPriced ? 'estimated' : 'unpriced')
    expect(breakdowns?.codex?.source).toBe(isPriced ? 'estimated' : 'unpriced')
  })
})

describe('list and get', () => {
  test('newest first, over all agents', async () => {
    putClaude()
    putCodex()
    const list = await sessionsAt().list()
    expect(list.map(({ unifiedId }) => unifiedId)).toEqual([
      `codex:${CODEX_FORK}`,
      `codex:${CODEX_ORIGIN}`,
      `claude:${ORIGIN}`,
      `claude:${FORK}`,
    ])
    expect(list[2]).toMatchObject({ title: 'session first', turnCount: 3, messageCount: 6, cwd: '/workspace' })
  })

  test('a session by its id, whether it has been listed or not', async () => {
    putCodex()
    const session = await sessionsAt().get('codex', CODEX_ORIGIN)
    expect(session.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
    ])
    await expect(sessionsAt().get('codex', 'nothing')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    await expect(sessionsAt().get('nobody', 'x')).rejects.toMatchObject({ code: 'UNKNOWN_AGENT' })
  })
})

describe('a store that changes', () => {
  const path = () => join(home, `.claude/projects/-workspace/${ORIGIN}.jsonl`)
  const resumed = () => readFileSync(join(FIXTURES, 'claude/fixtures/sessions/resumed.jsonl'))
  const outputTokens = async () => (await sessionsAt().totalCost()).outputTokens

  test('what is appended is added, and half a line waits for its other half', async () => {
    const bytes = resumed()
    mkdirSync(dirname(path()), { recursive: true })
    const middle = bytes.indexOf('"id":"msg_mock0000005p"') + 40
    writeFileSync(path(), bytes.subarray(0, middle))
    expect(await outputTokens()).toBe(25)
    appendFileSync(path(), bytes.subarray(middle))
    expect(await outputTokens()).toBe(75)
    expect(await sessionsAt().list()).toMatchObject([{ turnCount: 3, messageCount: 6 }])
  })

  test('a file that was cut, replaced or deleted', async () => {
    const bytes = resumed()
    mkdirSync(dirname(path()), { recursive: true })
    writeFileSync(path(), bytes)
    expect(await outputTokens()).toBe(75)
    const firstLines = bytes.subarray(0, bytes.indexOf('"cost-state"'))
    writeFileSync(path(), firstLines.subarray(0, firstLines.lastIndexOf('\n') + 1))
    expect(await outputTokens()).toBe(25)
    put('claude/fixtures/sessions/tool.jsonl', `.claude/projects/-workspace/${ORIGIN}.jsonl`)
    expect(await outputTokens()).toBe(50)
    rmSync(path())
    expect(await outputTokens()).toBe(0)
    expect(await sessionsAt().list()).toEqual([])
  })

  test('when the origin of a fork is deleted, its turns count for the fork', async () => {
    putClaude()
    expect(await outputTokens()).toBe(100)
    rmSync(path())
    expect(await outputTokens()).toBe(75)
  })
})
