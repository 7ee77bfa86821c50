import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { claudeStream } from './corpus.mjs'

const adapters = join(import.meta.dirname, '..', 'src', 'adapters')

/** These dialects have no pieces: their messages are whole, and as long as answers are. */
const WHOLE = Array.from({ length: 30 }, (_, line) => `- a line of **an answer** with "code", number ${line}`).join(
  '\n',
)

/**
 * The dialects, each with a recording of its real CLI and what its commonest line looks like. A long stream is the
 * recording with those lines repeated: real ones are mostly pieces of text, or whole messages where there are no pieces.
 */
const DIALECTS = [
  ['claude', 'claude/fixtures/2.1.325/a-text-partial', '"text_delta"'],
  ['qwen', 'qwen/fixtures/0.24.4/think-partial', '"text_delta"'],
  ['codex app-server', 'codex/fixtures/0.166.0/app-basic', '"item/agentMessage/delta"'],
  ['codex exec', 'codex/fixtures/0.166.0/a-text', '"agent_message"', WHOLE],
  ['gemini', 'gemini/fixtures/0.61.0/text', '"delta":true'],
  ['copilot', 'copilot/fixtures/1.0.102/text', '"assistant.message_delta"'],
  ['opencode run', 'opencode/fixtures/1.18.33/text', '"type":"text"', WHOLE],
  ['opencode-http', 'opencode-http/fixtures/1.18.33/serve', '"message.part.delta"'],
  ['kilo run', 'kilo/fixtures/7.7.9/text', '"type":"text"', WHOLE],
  ['pi 1.x', 'pi/fixtures/1.5.0/text', '"text_delta"'],
  ['pi 0.73', 'pi/fixtures/0.73.1/text', '"text_delta"'],
  ['omp', 'omp/fixtures/18.2.3/text', '"text_delta"'],
  ['kimi ACP', 'kimi/fixtures/2.1.0/acp-tool', '"agent_message_chunk"'],
  ['kimi stream', 'kimi/fixtures/2.1.0/stream-text', '"role":"assistant"', WHOLE],
  ['grok ACP', 'grok/fixtures/1.0.41/acp-tool', '"agent_message_chunk"'],
  ['grok stream', 'grok/fixtures/1.0.41/stream-text', '"type":"text"'],
  ['droid', 'droid/fixtures/0.225.2/rpc-text', '"assistant_text_delta"'],
  ['droid exec', 'droid/fixtures/0.225.2/exec-text-stdin-streamjson', '"role":"assistant"', WHOLE],
  ['cline', 'cline/fixtures/3.0.65/text-json', '"content_start"'],
]

/** The agents whose output is one document: over many lines or on one, with an answer of `count` pieces. */
const DOCUMENTS = {
  openclaw(count) {
    const path = join(adapters, 'openclaw/fixtures/2026.9.6/text/stdout.jsonl')
    const document = JSON.parse(readFileSync(path, 'utf8'))
    const payloads = Array.from({ length: count }, () => ({ ...document.payloads[0], text: WHOLE }))
    return JSON.stringify({ ...document, payloads }, null, 2).split('\n')
  },
  continue(count) {
    const response = Array.from({ length: count }, () => WHOLE).join('\n')
    return [JSON.stringify({ response, status: 'success' })]
  },
}

const STREAM_LINES = 50_000
const DOCUMENT_PIECES = 5_000
const CLAUDE_LINES = 200_000

/** What there is to measure, by name. */
export const SUBJECTS = [
  `${CLAUDE_LINES} lines of Claude`,
  ...DIALECTS.map(([name]) => name),
  ...Object.keys(DOCUMENTS),
]

/** One of them: its agent and its lines, and whether they are one document. */
export function subject(name) {
  if (name === SUBJECTS[0]) return { agent: 'claude', lines: [...claudeStream(CLAUDE_LINES)] }
  const stream = DIALECTS.find(([known]) => known === name)
  if (stream === undefined) return { agent: name, lines: DOCUMENTS[name](DOCUMENT_PIECES), isDocument: true }
  return { agent: stream[1].split('/')[0], lines: streamOf(stream, STREAM_LINES) }
}

function streamOf([, recording, common, whole], count) {
  const lines = readFileSync(join(adapters, recording, 'stdout.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
  const first = lines.findIndex((line) => line.includes(common))
  if (first === -1) throw new Error(`${recording} has no line with ${common}`)
  const answer = (line) => line.replace(/Hello from the (?:mock|scripted) model\./, JSON.stringify(whole).slice(1, -1))
  const alike = lines.filter((line) => line.includes(common))
  const pieces = whole === undefined ? alike : alike.map(answer)
  const repeated = Array.from({ length: count }, (_, index) => pieces[index % pieces.length])
  return [...lines.slice(0, first), ...repeated, ...lines.slice(first).filter((line) => !line.includes(common))]
}
