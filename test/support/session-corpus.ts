import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** One request to a model, as it was made. A store may tell of it as often as it likes. */
export interface MadeRequest {
  agent: string
  session: string
  project: string
  model: string
  at: number
  /** With what came from the cache. */
  input: number
  cached: number
  output: number
}

/** How one agent writes a session, with all that it repeats. `copied` was made in the session before, whose id is `origin`. */
type Writer = (home: string, own: Story, copied: readonly MadeRequest[], origin: string) => void

interface Story {
  session: string
  project: string
  requests: readonly MadeRequest[]
  /** Of a sub-agent: the session that it works for. */
  parent?: string
}

const iso = (at: number) => new Date(at).toISOString()
const nameOf = ({ at, output }: MadeRequest) => `${at}-${output}`

function save(path: string, records: readonly object[]): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
}

/** Each block of a reply has a line with the counts so far; a fork has all lines of its origin. */
const claude: Writer = (home, { session, project, requests, parent }, copied) => {
  const common = { cwd: project, sessionId: parent ?? session, isSidechain: parent !== undefined }
  const records = [...copied, ...requests].flatMap((one) => {
    const line = (output: number) => {
      const usage = { input_tokens: one.input - one.cached, cache_read_input_tokens: one.cached, output_tokens: output }
      const message = { id: `msg_${nameOf(one)}`, role: 'assistant', model: one.model, content: [], usage }
      return { ...common, type: 'assistant', message, requestId: `req_${nameOf(one)}`, timestamp: iso(one.at) }
    }
    const prompt = { ...common, type: 'user', message: { role: 'user', content: 'go on' }, timestamp: iso(one.at - 1) }
    return [prompt, line(1), line(one.output), line(one.output)]
  })
  const file = parent ? `${parent}/subagents/agent-${session}.jsonl` : `${session}.jsonl`
  save(join(home, '.claude/projects/-p', file), records)
}

/**
 * Older versions tell the total of the thread, twice; a fork's goes on from that of its origin. Newer ones tell each
 * request besides, and then the total does not count.
 */
const codex =
  (hasRecords: boolean): Writer =>
  (home, { session, project, requests, parent }, copied, origin) => {
    const total = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 }
    const grow = (one: MadeRequest) => {
      total.input_tokens += one.input
      total.cached_input_tokens += one.cached
      total.output_tokens += one.output
    }
    const from = copied.length > 0 ? { forked_from_id: origin } : {}
    const source = parent ? { subagent: { thread_spawn: { parent_thread_id: parent } } } : 'exec'
    for (const one of copied) grow(one)
    const meta = { id: session, cwd: project, source, ...from }
    const records: object[] = [{ timestamp: iso(requests[0]?.at ?? 0), type: 'session_meta', payload: meta }]
    for (const one of requests) {
      grow(one)
      const timestamp = iso(one.at)
      const last = { input_tokens: one.input, cached_input_tokens: one.cached, output_tokens: one.output }
      const info = { total_token_usage: { ...total }, last_token_usage: last }
      const told = { timestamp, type: 'event_msg', payload: { type: 'token_count', info } }
      const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go on' }] }
      const record = { timestamp, type: 'token_usage_record', payload: { response_id: nameOf(one), usage: last } }
      records.push({ timestamp, type: 'turn_context', payload: { model: one.model } })
      records.push({ timestamp, type: 'response_item', payload: item }, ...(hasRecords ? [record] : []), told, told)
    }
    save(join(home, `.codex/sessions/2026/rollout-x-${session}.jsonl`), records)
  }

/** A fork's lines have names of their own, and tell those that they are copies of. */
const qwen: Writer = (home, { session, project, requests }, copied, origin) => {
  const tell = (one: MadeRequest, uuid: string, more: object) => {
    const counts = {
      promptTokenCount: one.input,
      cachedContentTokenCount: one.cached,
      candidatesTokenCount: one.output,
    }
    const common = { sessionId: session, timestamp: iso(one.at), cwd: project, ...more }
    const message = { role: 'model', parts: [{ text: 'yes' }] }
    return { uuid, ...common, type: 'assistant', model: one.model, message, usageMetadata: counts }
  }
  const prompt = { uuid: `${session}-u`, sessionId: session, timestamp: iso(requests[0]?.at ?? 0), cwd: project }
  save(join(home, `.qwen/projects/-p/chats/${session}.jsonl`), [
    ...copied.map((one) =>
      tell(one, `${session}-${nameOf(one)}`, { forkedFrom: { sessionId: origin, messageUuid: nameOf(one) } }),
    ),
    { ...prompt, type: 'user', message: { role: 'user', parts: [{ text: 'go on' }] } },
    ...requests.flatMap((one) => [tell(one, nameOf(one), {}), tell(one, nameOf(one), {})]),
  ])
}

/** A message is told again with each of its tools, and all of them again when the list is set. */
const gemini: Writer = (home, { session, project, requests, parent }) => {
  const tell = (one: MadeRequest, output: number) => {
    const tokens = { input: one.input, cached: one.cached, output, thoughts: 0 }
    return { id: nameOf(one), timestamp: iso(one.at), type: 'gemini', content: 'yes', tokens, model: one.model }
  }
  const prompt = { id: 'u', timestamp: iso(requests[0]?.at ?? 0), type: 'user', content: 'go on' }
  const all = requests.map((one) => tell(one, one.output))
  const records = [
    { sessionId: session, startTime: prompt.timestamp, lastUpdated: prompt.timestamp, kind: 'main' },
    prompt,
    ...requests.flatMap((one) => [tell(one, 1), tell(one, one.output)]),
    { $set: { messages: [prompt, ...all] } },
  ]
  const folder = join(home, '.gemini/tmp', project.slice(1))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, '.project_root'), project)
  save(join(folder, 'chats', parent ? `${parent}/${session}.jsonl` : `session-${session}.jsonl`), records)
}

/** A tree whose branches all count; a fork begins with the entries of its origin. */
const tree =
  (folder: string): Writer =>
  (home, { session, project, requests, parent }, copied, origin) => {
    const entries = [...copied, ...requests].map((one, index) => {
      const usage = { input: one.input - one.cached, cacheRead: one.cached, output: one.output, cacheWrite: 0 }
      const message = { role: 'assistant', content: [{ type: 'text', text: 'yes' }], model: one.model, usage }
      return { type: 'message', id: nameOf(one), parentId: index % 3 ? 'root' : null, timestamp: iso(one.at), message }
    })
    const from = copied.length > 0 ? { parentSession: `/x/2026_${origin}.jsonl` } : {}
    const timestamp = iso(requests[0]?.at ?? 0)
    const header = { type: 'session', version: 3, id: session, timestamp, cwd: project, ...from }
    const file = parent ? `2026_${parent}/Task-${session}.jsonl` : `2026_${session}.jsonl`
    save(join(home, folder, '--p--', file), [header, ...entries])
  }

interface Habits {
  write: Writer
  models: readonly string[]
  forks: boolean
  subagents: boolean
}

const AGENTS: Readonly<Record<string, Habits>> = {
  claude: { write: claude, models: ['claude-opus-4-5', 'claude-haiku-4-5'], forks: true, subagents: true },
  codex: { write: codex(false), models: ['gpt-5.5-codex', 'gpt-5-mini'], forks: true, subagents: true },
  'codex with records': { write: codex(true), models: ['gpt-5.5-codex'], forks: true, subagents: true },
  gemini: { write: gemini, models: ['gemini-2.5-flash', 'gemini-2.5-pro'], forks: false, subagents: true },
  qwen: { write: qwen, models: ['qwen3-coder', 'mock-model'], forks: true, subagents: false },
  pi: { write: tree('.pi/agent/sessions'), models: ['mock-model', 'other-model'], forks: true, subagents: false },
  omp: { write: tree('.omp/agent/sessions'), models: ['mock-model'], forks: true, subagents: true },
}

/** Sessions of several agents around a day on which clocks change, and every request that was made for them. */
export function writeSessions(home: string, start: number, random: (below: number) => number): MadeRequest[] {
  const made: MadeRequest[] = []
  let clock = start
  let count = 0
  for (const [habit, { write, models, forks, subagents }] of Object.entries(AGENTS)) {
    const agent = habit.split(' ')[0] ?? habit
    let before: Story | null = null
    for (let n = 0; n < 9; n++) {
      count += 1
      const isFork = forks && n % 3 === 1
      const isSubagent = subagents && n % 3 === 2
      const session = `aaaaaaaa-bbbb-4ccc-8ddd-${String(count).padStart(12, '0')}`
      const parent = isSubagent ? before?.session : undefined
      const project: string = isFork || isSubagent ? (before?.project ?? '') : `/p${n % 2}`
      const requests = Array.from({ length: 3 + random(9) }, (): MadeRequest => {
        clock += 1 + random(4_000_000)
        const [cached, fresh] = [random(9000), 1 + random(900)]
        const model = models[random(models.length)] ?? ''
        const counts = { input: cached + fresh, cached, output: 2 + random(700) }
        return { agent, session: parent ?? session, project, model, at: clock, ...counts }
      })
      const copied = isFork ? (before?.requests.slice(0, -1) ?? []) : []
      const story: Story = { session, project, requests, ...(parent === undefined ? {} : { parent }) }
      write(home, story, copied, before?.session ?? '')
      made.push(...requests)
      if (n % 3 === 0) before = story
    }
  }
  return made
}
