import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The same corpus every time. */
function random(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const WORDS =
  'the a of parser index buffer session token function return value const await error test file line reads writes when because "quoted" path/to/file.ts \n\t if (x) { y }'.split(
    ' ',
  )

const MODELS = ['claude-opus-4-5', 'claude-sonnet-4-5', 'claude-haiku-4-5']
const START = Date.UTC(2026, 8, 1)

/**
 * Files as Claude Code 2.1 keeps them, with what makes counting hard: each block of a reply on a line of its own with the
 * usage of all of it, forks that repeat the turns of their origin, sub-agents in files of their own, results of tools
 * that hold counts of others. Says what is in it.
 */
export function writeClaudeCorpus(home, { files, bytesPerFile }) {
  const next = random(42)
  const pick = (list) => list[Math.floor(next() * list.length)]
  const number = (below) => Math.floor(next() * below)
  const texts = Array.from({ length: 200 }, () => {
    // One word in twenty is rare, as in any text.
    const word = () => (next() < 0.05 ? `word${number(5000)}` : pick(WORDS))
    const words = Array.from({ length: 40 + number(400) }, word)
    return JSON.stringify(words.join(' ')).slice(1, -1)
  })
  const hex = (length) => Array.from({ length }, () => '0123456789abcdef'[number(16)]).join('')
  const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`
  const truth = {
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheCreationTokens: 0,
    requests: 0,
    sessions: 0,
  }
  let bytes = 0
  let origin = null

  for (let n = 0; n < files; n++) {
    const isSubagent = n % 10 === 9 && origin !== null
    const isFork = n % 10 === 5 && origin !== null
    const project = isSubagent || isFork ? origin.project : `-work-project-${n % 20}`
    const session = isSubagent ? origin.session : uuid()
    const name = isSubagent ? join(session, 'subagents', `agent-a${hex(16)}.jsonl`) : `${session}.jsonl`
    let time = isFork ? origin.end + 60_000 : START + n * 3_600_000
    let parent = uuid()
    const tail = () => {
      const id = uuid()
      time += 500 + number(4000)
      const at = new Date(time).toISOString()
      // What a tool has given back stands after the time, as in the real files.
      const end = (more = '') =>
        `"uuid":"${id}","timestamp":"${at}",${more}"userType":"external","entrypoint":"cli","cwd":"/projects/p-${n % 20}","sessionId":"${session}","version":"2.1.325","gitBranch":"main"}\n`
      const start = `{"parentUuid":"${parent}","isSidechain":${isSubagent}${isSubagent ? ',"agentId":"a1"' : ''},`
      parent = id
      return { start, end }
    }
    const parts = []
    let size = 0
    const add = (line) => {
      parts.push(line)
      size += line.length
    }
    const user = (content, more = '') => {
      const { start, end } = tail()
      add(`${start}"promptId":"${uuid()}","type":"user","message":{"role":"user","content":${content}},${end(more)}`)
    }
    if (!isSubagent) truth.sessions += 1
    add(
      `{"type":"queue-operation","operation":"enqueue","timestamp":"${new Date(time).toISOString()}","sessionId":"${session}"}\n`,
    )
    if (isFork) for (const line of origin.lines) add(line.replaceAll(origin.session, session))

    while (size < bytesPerFile) {
      user(`"${pick(texts)}"`)
      for (let step = 0; step < 8 && size < bytesPerFile; step++) {
        const model = step === 7 ? MODELS[2] : MODELS[n % 2]
        const counts = { input: number(60), output: 1 + number(3000), read: number(150_000), write: number(6000) }
        truth.requests += 1
        truth.inputTokens += counts.input + counts.read + counts.write
        truth.outputTokens += counts.output
        truth.cacheReadTokens += counts.read
        truth.cacheCreationTokens += counts.write
        const usage = `{"input_tokens":${counts.input},"cache_creation_input_tokens":${counts.write},"cache_read_input_tokens":${counts.read},"output_tokens":${counts.output},"output_tokens_details":{"thinking_tokens":0},"server_tool_use":{"web_search_requests":0,"web_fetch_requests":0},"service_tier":"standard","cache_creation":{"ephemeral_1h_input_tokens":0,"ephemeral_5m_input_tokens":${counts.write}},"inference_geo":"","iterations":[],"speed":"standard"}`
        const message = `msg_01${hex(22)}`
        const call = `toolu_01${hex(22)}`
        const request = `req_011${hex(21)}`
        const blocks = [
          `{"type":"text","text":"${pick(texts)}"}`,
          `{"type":"tool_use","id":"${call}","name":"Bash","input":{"command":"${pick(texts)}","description":"Look"}}`,
        ]
        for (const [index, block] of blocks.entries()) {
          const { start, end } = tail()
          add(
            `${start}"message":{"id":"${message}","type":"message","role":"assistant","model":"${model}","content":[${block}],"stop_reason":"tool_use","stop_sequence":null,"usage":${usage},"stop_details":null},"apiBlockIndex":${index},"requestId":"${request}","requestedModel":"${model}","type":"assistant",${end()}`,
          )
        }
        const output = pick(texts) + pick(texts)
        // What a sub-agent has used is told in its parent's file, too, and counts in its own.
        const told = step === 3 ? `,"usage":${usage},"totalTokens":1` : ''
        user(
          `[{"tool_use_id":"${call}","type":"tool_result","content":"${output}","is_error":false}]`,
          `"toolUseResult":{"stdout":"${output}","stderr":"","interrupted":false${told}},`,
        )
      }
    }
    const folder = join(home, '.claude', 'projects', project)
    mkdirSync(join(folder, isSubagent ? join(session, 'subagents') : ''), { recursive: true })
    const text = parts.join('')
    bytes += Buffer.byteLength(text)
    writeFileSync(join(folder, name), text)
    // As it would be: a file was last touched when its session was last at work.
    utimesSync(join(folder, name), time / 1000, time / 1000)
    // The first half of every tenth session is what its fork repeats.
    if (n % 10 === 0) origin = { session, project, end: time, lines: parts.slice(1, parts.length >> 1) }
  }
  return { ...truth, files, megabytes: bytes / 1e6 }
}
